/**
 * Other keys for an account: the moment in which they take the place of the old ones, and everything that was opened with
 * those ends. What becomes of mail under the old keys is features/accounts/key-rotation'.
 */
import type { MainKey } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { Session } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { endReset } from '../memberships/index.ts';
import { exchangeMainKey } from '../users/index.ts';
import { endOthers } from './access-store.ts';
import { deleteKits } from './kit-store.ts';

/**
 * Puts keys in place of others, if these are in use and the password is still the one that was looked at; ends all other
 * sessions and devices, a reset that an organisation began, and the recovery kits, which open the old keys only. Throws
 * keys_replaced.
 */
export async function exchangeKeys(
  deps: Pick<Deps, 'clock'>,
  trx: Trx,
  own: Session,
  before: { readonly loginHashStored: string; readonly keyId: string },
  mainKey: MainKey,
): Promise<void> {
  const isExchanged = await exchangeMainKey(trx, own.userId, before, JSON.stringify(mainKey));
  if (!isExchanged) throw new AppError('keys_replaced');
  await deleteKits(trx, own.userId);
  await endOthers(trx, own.userId, own, { why: 'keys_replaced', now: deps.clock.now() });
  // Whoever has the password needs no new beginning.
  await endReset(deps, trx, own.userId);
}

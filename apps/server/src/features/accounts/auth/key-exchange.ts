/**
 * Replaces an account's keys and ends everything that was opened with the old ones.
 * features/accounts/key-rotation handles the mail under the old keys.
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
 * Replaces keys if they are still in use and the password is still the one that was checked. Ends
 * all other sessions and devices, a password reset that an organization began, and the recovery
 * kits, which open only the old keys. Throws keys_replaced.
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
  // A user who has the password does not need the reset.
  await endReset(deps, trx, own.userId);
}

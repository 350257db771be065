/**
 * Account reset granted by an organization (docs/interpretations.md#76): a new password with new
 * keys. Earlier mail stays sealed under the old keys, which the server does not keep.
 */
import type { MainKey } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { Trx } from '../../../db/pool.ts';
import { lockUser, replaceSecrets } from '../users/index.ts';
import { endAllSessions } from './access-store.ts';
import { deleteKits } from './kit-store.ts';
import { hashLogin } from './login-hash.ts';
import { requireUsableKeys } from './registration.ts';

/**
 * Does the slow work up front and returns a function that replaces a user's password and keys in a
 * transaction. Ends all sessions, devices and recovery kits, since the kits open only the old keys.
 * Throws keys_refused; the returned function throws already_in_progress.
 */
export async function prepareReset(
  loginHash: string,
  mainKey: MainKey,
): Promise<(trx: Trx, userId: string, now: Date) => Promise<void>> {
  await requireUsableKeys(mainKey);
  const loginHashStored = await hashLogin(loginHash);
  const mainKeyJson = JSON.stringify(mainKey);
  return async (trx, userId, now) => {
    const held = await lockUser(trx, userId);
    const isReplaced =
      held !== undefined &&
      (await replaceSecrets(trx, userId, held.login_hash, { loginHashStored, mainKeyJson }));
    if (!isReplaced) throw new AppError('already_in_progress');
    await deleteKits(trx, userId);
    await endAllSessions(trx, userId, { why: 'password_changed', now });
  };
}

/**
 * A new beginning for who was given one by an organisation (docs/interpretations.md#76): a new password with new keys. Mail from
 * before stays sealed for the old ones, which are kept by nobody here.
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
 * Answers how a user's password and keys are replaced in a transaction, after what takes time. All sessions, devices and
 * the recovery kits, which open the old keys only, end. Throws keys_refused; the answer throws already_in_progress.
 */
export async function startAnew(
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

/**
 * The password once more: asked before what cannot be undone, and changed together with the wraps of the same keys
 * (readings 13). Keys are never exchanged here: old mail would be lost with them.
 */
import type { api, InputOf, MainKey } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { Db } from '../../db/pool.ts';
import type { Deps } from '../../deps.ts';
import { storeNotice } from '../notices/service.ts';
import { deleteOthers, findSecrets, replaceSecrets } from './access-store.ts';
import { deviceWordsOf } from './device-words.ts';
import { hashLogin, isLoginHash } from './login-hash.ts';
import { announceEnd, type Place, type Session } from './sessions.ts';

/** Checks the login hash of a user who is logged in; answers the account's secrets. Throws password_wrong. */
export const requirePassword = async (db: Db, userId: string, loginHash: string) => {
  const secrets = await findSecrets(db, userId);
  if (secrets === undefined) throw new AppError('not_logged_in');
  if (!(await isLoginHash(loginHash, secrets.login_hash))) throw new AppError('password_wrong');
  return secrets;
};

/** Requires that wraps are of the account's own keys: what lies open must be the same. Throws keys_refused. */
export const requireSameKeys = (own: MainKey, wrapped: MainKey): void => {
  if (
    own.mlkem_public_key !== wrapped.mlkem_public_key ||
    own.dh_public_key !== wrapped.dh_public_key ||
    own.key_id !== wrapped.key_id
  )
    throw new AppError('keys_refused');
};

/**
 * Replaces the password and ends all other sessions and devices, at once or not at all. Throws password_wrong,
 * keys_refused.
 */
export const changePassword = async (
  deps: Deps,
  own: Session,
  input: InputOf<typeof api.account.change_password>,
  place: Place,
): Promise<void> => {
  const secrets = await requirePassword(deps.db, own.userId, input.old_password);
  requireSameKeys(secrets.main_key, input.main_key);
  const loginHashStored = await hashLogin(input.new_password);
  const mainKeyJson = JSON.stringify(input.main_key);
  await deps.db.transaction().execute(async trx => {
    const isReplaced = await replaceSecrets(trx, own.userId, secrets.login_hash, {
      loginHashStored,
      mainKeyJson,
    });
    // Somebody else changed it meanwhile: then this one's old password is the wrong one.
    if (!isReplaced) throw new AppError('password_wrong');
    await deleteOthers(trx, own.userId, own);
    await storeNotice(deps, trx, own.userId, {
      kind: 'password_changed',
      device: deviceWordsOf(place.userAgent),
      ip: place.ip,
    });
  });
  announceEnd(deps.db, own.userId);
};

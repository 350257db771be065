/**
 * Reauthentication and password change: the password is required before irreversible actions, and
 * changed together with the wraps of the same keys (docs/interpretations.md#13). Keys are never
 * replaced here, because old messages would be lost with them.
 */
import type { api, InputOf, MainKey } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { deviceWordsOf } from '../../../base/device-words.ts';
import type { Session } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db } from '../../../db/pool.ts';
import { endReset } from '../memberships/index.ts';
import { storeNotice } from '../notices/index.ts';
import { type OwnerProof, type Prover, proverOf, requireSecondFactor } from '../second-factor/index.ts';
import { replaceSecrets } from '../users/index.ts';
import { endOthers, findSecrets } from './access-store.ts';
import { hashLogin, isLoginHash } from './login-hash.ts';
import { announceEnd, type Place } from './sessions.ts';

/**
 * Checks the login hash of a signed-in user; returns the account's secrets. Throws password_wrong.
 */
export async function requirePassword(db: Db, userId: string, loginHash: string) {
  const secrets = await findSecrets(db, userId);
  if (secrets === undefined) throw new AppError('not_logged_in');
  if (!(await isLoginHash(loginHash, secrets.login_hash))) throw new AppError('password_wrong');
  return secrets;
}

/**
 * Requires proof that the account's owner is present, for irreversible actions. Returns the
 * account's secrets. Throws password_wrong, second_factor_needed, code_wrong, passkey_wrong,
 * rate_limited.
 */
export async function requireOwner(deps: Deps, prover: Prover, proof: OwnerProof) {
  const secrets = await requirePassword(deps.db, prover.userId, proof.password);
  await requireSecondFactor(deps, prover, { code: proof.totp_code, passkey: proof.passkey });
  return secrets;
}

/**
 * Requires that wraps contain the account's own keys: their public parts must be identical. Throws
 * keys_refused.
 */
export function requireSameKeys(own: MainKey, wrapped: MainKey): void {
  if (
    own.mlkem_public_key !== wrapped.mlkem_public_key ||
    own.dh_public_key !== wrapped.dh_public_key ||
    own.key_id !== wrapped.key_id
  )
    throw new AppError('keys_refused');
}

/**
 * Replaces the password and ends all other sessions and devices, atomically. Throws keys_refused,
 * and what requireOwner throws.
 */
export async function changePassword(
  deps: Deps,
  own: Session,
  input: InputOf<typeof api.account.change_password>,
  place: Place,
): Promise<void> {
  const secrets = await requirePassword(deps.db, own.userId, input.old_password);
  requireSameKeys(secrets.main_key, input.main_key);
  await requireSecondFactor(deps, proverOf(own, place), { code: input.totp_code, passkey: input.passkey });
  const loginHashStored = await hashLogin(input.new_password);
  const mainKeyJson = JSON.stringify(input.main_key);
  await deps.db.transaction().execute(async trx => {
    const isReplaced = await replaceSecrets(trx, own.userId, secrets.login_hash, {
      loginHashStored,
      mainKeyJson,
    });
    // The password was changed concurrently, so the old password of this request is now wrong.
    if (!isReplaced) throw new AppError('password_wrong');
    await endOthers(trx, own.userId, own, { why: 'password_changed', now: deps.clock.now() });
    // A user who has the password does not need the reset, and may not have wanted it.
    await endReset(deps, trx, own.userId);
    await storeNotice(deps, trx, own.userId, {
      kind: 'password_changed',
      device: deviceWordsOf(place.userAgent),
      ip: place.ip,
    });
  });
  announceEnd(deps.db, own.userId);
}

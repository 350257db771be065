/**
 * What a correct password, or a recovery kit, yields if a second factor is on: a token that is
 * valid for five minutes, opens nothing, and identifies the account only to the endpoints of the
 * second step (docs/interpretations.md#29). After five wrong answers it is deleted, and the
 * password is required again.
 */
import { MFA_TRIES } from '@keyfold/contract/limits';
import { HALF_SESSION_LIFETIME_MS } from '../../../base/limits.ts';
import type { MfaPendingSessionsTable } from '../../../db/access-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import {
  addTry,
  deleteMfaPendingSession,
  findMfaPendingSession as findRow,
  insertMfaPendingSession,
  lockMfaPendingSession,
} from './mfa-pending-session-store.ts';
import { createToken, hashToken, isToken } from './tokens.ts';

type Purpose = MfaPendingSessionsTable['purpose'];

/** A sign-in or recovery that waits for the second factor and has not expired. */
export type MfaPendingSession = {
  readonly tokenHash: Buffer;
  readonly userId: string;
  readonly kdfEmail: string;
  readonly purpose: Purpose;
};

/** Starts an MFA-pending session; returns its token. */
export async function startMfaPendingSession(
  db: Db | Trx,
  userId: string,
  purpose: Purpose,
  now: Date,
): Promise<string> {
  const token = createToken();
  await insertMfaPendingSession(db, {
    token_hash: hashToken('pending', token),
    user_id: userId,
    purpose,
    expires_at: new Date(now.getTime() + HALF_SESSION_LIFETIME_MS),
  });
  return token;
}

/**
 * Returns the MFA-pending session of a token and a login ID, or null if there is none, it has
 * expired, or it belongs to another account.
 */
export async function findMfaPendingSession(
  db: Db,
  token: string | undefined,
  kdfEmail: string,
  now: Date,
): Promise<MfaPendingSession | null> {
  if (token === undefined || !isToken(token)) return null;
  const row = await findRow(db, hashToken('pending', token), now);
  if (row === undefined || row.kdf_email !== kdfEmail) return null;
  return {
    tokenHash: row.token_hash,
    userId: row.user_id,
    kdfEmail: row.kdf_email,
    purpose: row.purpose,
  };
}

/** Locks the session for one attempt at a time; returns whether it still exists. */
export const holdMfaPendingSession = async (trx: Trx, { tokenHash }: MfaPendingSession): Promise<boolean> =>
  (await lockMfaPendingSession(trx, tokenHash)) !== undefined;

/** Counts a wrong answer; the last allowed one deletes the session. */
export async function countWrong(trx: Trx, { tokenHash }: MfaPendingSession): Promise<void> {
  if ((await addTry(trx, tokenHash)) >= MFA_TRIES) await deleteMfaPendingSession(trx, tokenHash);
}

/** Deletes the session after it has become a full session or was abandoned. */
export const endMfaPendingSession = (trx: Trx, { tokenHash }: MfaPendingSession): Promise<void> =>
  deleteMfaPendingSession(trx, tokenHash);

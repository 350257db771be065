/**
 * What a right password, or a recovery kit, is worth where a second factor is on: a token of five minutes that opens
 * nothing, and stands for the account to the calls of the second step alone (docs/interpretations.md#29). After five wrong
 * answers it is gone, and the password is asked for again.
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

/** A half-done sign-in or recovery that still counts. */
export type MfaPendingSession = {
  readonly tokenHash: Buffer;
  readonly userId: string;
  readonly kdfEmail: string;
  readonly purpose: Purpose;
};

/** Begins one; answers its token. */
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

/** The one of a token and a login id; null when there is none, it is too old, or another's. */
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

/** Keeps it for one try at a time; whether it is still there. */
export const holdMfaPendingSession = async (trx: Trx, { tokenHash }: MfaPendingSession): Promise<boolean> =>
  (await lockMfaPendingSession(trx, tokenHash)) !== undefined;

/** Counts a wrong answer; the last one ends it. */
export async function countWrong(trx: Trx, { tokenHash }: MfaPendingSession): Promise<void> {
  if ((await addTry(trx, tokenHash)) >= MFA_TRIES) await deleteMfaPendingSession(trx, tokenHash);
}

/** Ends it: it has become a session, or was given up. */
export const endMfaPendingSession = (trx: Trx, { tokenHash }: MfaPendingSession): Promise<void> =>
  deleteMfaPendingSession(trx, tokenHash);

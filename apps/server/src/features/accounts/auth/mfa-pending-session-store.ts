/** Statements on MFA-pending sessions. The rules are in mfa-pending-session.ts. */
import type { Insertable } from 'kysely';
import type { MfaPendingSessionsTable } from '../../../db/access-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';

export async function insertMfaPendingSession(
  db: Db | Trx,
  row: Insertable<MfaPendingSessionsTable>,
): Promise<void> {
  await db.insertInto('half_sessions').values(row).execute();
}

/** Returns an unexpired MFA-pending session with the login ID of its account. */
export const findMfaPendingSession = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('half_sessions as h')
    .innerJoin('users as u', 'u.id', 'h.user_id')
    .select(['h.token_hash', 'h.user_id', 'h.purpose', 'u.kdf_email'])
    .where('h.token_hash', '=', tokenHash)
    .where('h.expires_at', '>', now)
    .executeTakeFirst();

export const lockMfaPendingSession = (trx: Trx, tokenHash: Buffer) =>
  trx
    .selectFrom('half_sessions')
    .select('tries')
    .where('token_hash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst();

/** Counts an attempt; returns the number of attempts so far. */
export async function addTry(trx: Trx, tokenHash: Buffer): Promise<number> {
  const row = await trx
    .updateTable('half_sessions')
    .set(eb => ({ tries: eb('tries', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .returning('tries')
    .executeTakeFirstOrThrow();
  return row.tries;
}

export async function deleteMfaPendingSession(trx: Trx, tokenHash: Buffer): Promise<void> {
  await trx.deleteFrom('half_sessions').where('token_hash', '=', tokenHash).execute();
}

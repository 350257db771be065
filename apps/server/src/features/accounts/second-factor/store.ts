/**
 * Statements on second factors: the authenticator app, recovery codes, passkeys and their
 * challenges. Every statement filters by owner.
 */
import { sql } from 'kysely';
import type { PasskeyChallengesTable } from '../../../db/access-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';

/**
 * Returns the enabled factors of a user in one statement. Counts the confirmed recovery codes or,
 * without any, the most recently shown ones.
 */
export async function findState(db: Db | Trx, userId: string) {
  const { rows } = await sql<{
    totp_since: Date | null;
    passkeys: number;
    codes_left: number;
    codes_unconfirmed: boolean;
  }>`
    select
      (select activated_at from second_factors
        where user_id = ${userId}::uuid and secret_sealed is not null) as totp_since,
      (select count(*)::int from passkeys where user_id = ${userId}::uuid) as passkeys,
      (select count(*)::int from recovery_codes where user_id = ${userId}::uuid and shown_set is not distinct from
        (select shown_set from recovery_codes where user_id = ${userId}::uuid
          order by shown_set desc nulls first limit 1)) as codes_left,
      exists (select from recovery_codes
        where user_id = ${userId}::uuid and shown_set is not null) as codes_unconfirmed`.execute(db);
  return rows[0] ?? { totp_since: null, passkeys: 0, codes_left: 0, codes_unconfirmed: false };
}

/** Returns the names by which authenticators identify an account. */
export const findAccount = (db: Db | Trx, userId: string) =>
  db.selectFrom('users').select(['kdf_email', 'name']).where('id', '=', userId).executeTakeFirst();

/**
 * Locks and returns the authenticator app's row, so that only one code of a user is checked at a
 * time.
 */
export const lockTotp = (trx: Trx, userId: string) =>
  trx.selectFrom('second_factors').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst();

/** Stores a pending secret and replaces an older one. */
export async function savePending(trx: Trx, userId: string, sealed: Buffer, until: Date): Promise<void> {
  const values = { pending_sealed: sealed, pending_until: until };
  await trx
    .insertInto('second_factors')
    .values({ user_id: userId, ...values })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

export async function activatePending(trx: Trx, userId: string, step: number, now: Date): Promise<void> {
  await trx
    .updateTable('second_factors')
    .set(eb => ({
      secret_sealed: eb.ref('pending_sealed'),
      pending_sealed: null,
      pending_until: null,
      activated_at: now,
      last_step: step,
      wrong_codes: 0,
      wait_until: null,
    }))
    .where('user_id', '=', userId)
    .execute();
}

/** Records that the code of a time step was used. */
export async function noteRightCode(trx: Trx, userId: string, step: number): Promise<void> {
  await trx
    .updateTable('second_factors')
    .set({ last_step: step, wrong_codes: 0, wait_until: null })
    .where('user_id', '=', userId)
    .execute();
}

export async function noteWrongCode(
  trx: Trx,
  userId: string,
  wrongCodes: number,
  waitUntil: Date | null,
): Promise<void> {
  await trx
    .updateTable('second_factors')
    .set({ wrong_codes: wrongCodes, wait_until: waitUntil })
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteTotp(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('second_factors').where('user_id', '=', userId).execute();
}

/** Returns a user's keys, oldest first. */
export const listPasskeys = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export type PasskeyRow = Awaited<ReturnType<typeof listPasskeys>>[number];

/**
 * Locks and returns a key by credential id, so that only one request at a time checks and updates
 * its counter.
 */
export const lockPasskey = (trx: Trx, userId: string, credentialId: Buffer) =>
  trx
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst();

export async function insertPasskey(trx: Trx, row: PasskeyRow): Promise<void> {
  await trx.insertInto('passkeys').values(row).execute();
}

export async function notePasskeyUse(
  trx: Trx,
  userId: string,
  id: string,
  counter: number,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
}

/** Renames a key; returns whether it exists. */
export async function renamePasskey(
  db: Db,
  userId: string,
  id: string,
  nameSealed: Buffer,
): Promise<boolean> {
  const result = await db
    .updateTable('passkeys')
    .set({ name_sealed: nameSealed })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

/** Deletes a key; returns whether it existed. */
export async function deletePasskey(trx: Trx, userId: string, id: string): Promise<boolean> {
  const result = await trx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return Number(result.numDeletedRows) === 1;
}

export async function deletePasskeys(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
}

/** Recipient and purpose of a challenge. */
export type ChallengeKey = Pick<PasskeyChallengesTable, 'purpose' | 'token_hash' | 'user_id'>;

/** Stores a challenge and replaces an older one of the same kind. */
export async function saveChallenge(
  db: Db | Trx,
  key: ChallengeKey,
  challenge: string,
  expiresAt: Date,
): Promise<void> {
  const values = { challenge, expires_at: expiresAt };
  await db
    .insertInto('passkey_challenges')
    .values({ ...key, ...values })
    .onConflict(conflict => conflict.columns(['user_id', 'token_hash', 'purpose']).doUpdateSet(values))
    .execute();
}

/** Deletes a challenge and returns it, or null when there is none or it has expired. */
export async function takeChallenge(trx: Trx, key: ChallengeKey, now: Date): Promise<string | null> {
  const row = await trx
    .deleteFrom('passkey_challenges')
    .where('user_id', '=', key.user_id)
    .where('token_hash', '=', key.token_hash)
    .where('purpose', '=', key.purpose)
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst();
  return row === undefined || row.expires_at <= now ? null : row.challenge;
}

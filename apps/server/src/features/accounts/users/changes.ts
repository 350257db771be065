/**
 * Write statements on `users` for other features, which decide when to call them. Plans, names and
 * admin levels are in store.ts.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/**
 * Locks the account and returns the data that callers need, or undefined when it does not exist.
 * Sign-in, ending sessions, and changing the password or a factor take this lock before any other
 * lock of the account. They therefore never deadlock, and no client signs in with a credential that
 * another request has just revoked.
 *
 * `ending` also blocks new rows that refer to the account. Use it to delete the account or to
 * revoke rights.
 */
export function lockUser(trx: Trx, userId: string, purpose: 'changing' | 'ending' = 'changing') {
  const account = trx
    .selectFrom('users')
    .select(['id', 'email', 'status', 'plan', 'login_hash', 'is_admin', 'admin_level'])
    .where('id', '=', userId);
  return (purpose === 'ending' ? account.forUpdate() : account.forNoKeyUpdate()).executeTakeFirst();
}

type NewUser = {
  readonly id: string;
  readonly address: string;
  readonly name: string;
  readonly loginHashStored: string;
  readonly mainKeyJson: string;
  readonly affiliateCode: string | null;
  readonly now: Date;
};

export async function insertAccount(trx: Trx, user: NewUser): Promise<void> {
  await trx
    .insertInto('users')
    .values({
      id: user.id,
      kdf_email: user.address,
      email: user.address,
      name: user.name,
      login_hash: user.loginHashStored,
      main_key: user.mainKeyJson,
      affiliate_code: user.affiliateCode,
      created_at: user.now,
      last_active_at: user.now,
    })
    .execute();
}

export async function noteActivity(db: Db | Trx, userId: string, now: Date): Promise<void> {
  await db.updateTable('users').set({ last_active_at: now }).where('id', '=', userId).execute();
}

/**
 * Replaces login hash and wrapped keys in one statement, if the login hash is still the one that
 * the caller read.
 */
export async function replaceSecrets(
  trx: Trx,
  userId: string,
  before: string,
  secrets: { readonly loginHashStored: string; readonly mainKeyJson: string },
): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ login_hash: secrets.loginHashStored, main_key: secrets.mainKeyJson })
    .where('id', '=', userId)
    .where('login_hash', '=', before)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

/**
 * Replaces the wrapped keys in one statement, if password and keys are still the ones that the
 * caller read.
 */
export async function exchangeMainKey(
  trx: Trx,
  userId: string,
  before: { readonly loginHashStored: string; readonly keyId: string },
  mainKeyJson: string,
): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ main_key: mainKeyJson })
    .where('id', '=', userId)
    .where('login_hash', '=', before.loginHashStored)
    .where(sql<SqlBool>`main_key->>'key_id' = ${before.keyId}`)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

/** Adds the bonus of the first contact; returns false when this account already received it. */
export async function claimBonus(trx: Trx, userId: string, now: Date, bytes: number): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set(eb => ({ first_contact_at: now, bonus_bytes: eb('bonus_bytes', '+', bytes) }))
    .where('id', '=', userId)
    .where('first_contact_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function updateStatus(trx: Trx, id: string, status: 'active' | 'suspended'): Promise<void> {
  await trx.updateTable('users').set({ status }).where('id', '=', id).execute();
}

export async function setMainAddress(trx: Trx, userId: string, address: string): Promise<void> {
  await trx.updateTable('users').set({ email: address }).where('id', '=', userId).execute();
}

/** Deletes the row itself, after everything that refers to it is deleted. */
export async function deleteAccount(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', userId).execute();
}

/**
 * The statements that write a row of `users` for other features, which decide when to call them. Plans, names and admin levels
 * are in store.ts.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/**
 * Locks the account. Signing in, ending sessions, and changing the password or a factor take this before any other lock of the
 * account, so that two of them never deadlock and nobody signs in with what another request has just ended.
 *
 * Returns what callers need to know of it; undefined when it does not exist. `ending` also blocks new rows
 * that refer to the account: for deleting it, or taking rights away from it.
 */
export function lockUser(trx: Trx, userId: string, purpose: 'changing' | 'ending' = 'changing') {
  const account = trx
    .selectFrom('users')
    .select(['id', 'email', 'status', 'plan', 'login_hash', 'is_admin', 'admin_level'])
    .where('id', '=', userId);
  return (purpose === 'ending' ? account.forUpdate() : account.forNoKeyUpdate()).executeTakeFirst();
}

/** What a new account is made of. */
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

/** Replaces login hash and wrapped keys in one statement, if the login hash is still the one that was looked at. */
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

/** Replaces the wrapped keys in one statement, if password and keys are still the ones that were looked at. */
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

/** Adds the bonus of the first contact; false when this account has had it. */
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

/** Writes which of the account's addresses is the main one. */
export async function setMainAddress(trx: Trx, userId: string, address: string): Promise<void> {
  await trx.updateTable('users').set({ email: address }).where('id', '=', userId).execute();
}

/** Removes the row itself, once everything that refers to it has gone. */
export async function deleteAccount(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', userId).execute();
}

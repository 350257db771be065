/**
 * Statements on contacts and share codes.
 */
import type { Db, Trx } from '../../../db/pool.ts';
import type { ContactsTable } from '../../../db/tables.ts';

export type ContactRow = Omit<ContactsTable, 'user_id' | 'created_at'>;

export const findContact = (trx: Trx, userId: string, email: string): Promise<ContactRow | undefined> =>
  trx
    .selectFrom('contacts')
    .select(['email', 'name', 'mlkem_public', 'dh_public', 'fingerprint', 'verified'])
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst();

export async function countContacts(trx: Trx, userId: string): Promise<number> {
  const row = await trx
    .selectFrom('contacts')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function upsertContact(trx: Trx, userId: string, row: ContactRow): Promise<void> {
  const { email, ...fields } = row;
  await trx
    .insertInto('contacts')
    .values({ user_id: userId, ...row })
    .onConflict(conflict => conflict.columns(['user_id', 'email']).doUpdateSet(fields))
    .execute();
}

/** Deletes a contact; returns false when the user has no contact with this address. */
export async function deleteContact(db: Db, userId: string, email: string): Promise<boolean> {
  const result = await db
    .deleteFrom('contacts')
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function findPrimaryAddress(trx: Trx, userId: string): Promise<string | null> {
  const row = await trx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return row?.email ?? null;
}

export async function insertShareCode(
  trx: Trx,
  { userId, codeHash, expiresAt }: { userId: string; codeHash: Buffer; expiresAt: Date },
): Promise<void> {
  await trx
    .insertInto('share_codes')
    .values({ user_id: userId, code_hash: codeHash, expires_at: expiresAt })
    .execute();
}

/** Deletes a user's codes whose retention has ended. */
export async function pruneShareCodes(trx: Trx, userId: string, now: Date): Promise<void> {
  await trx
    .deleteFrom('share_codes')
    .where('user_id', '=', userId)
    .where(eb => eb(eb.fn.coalesce('kept_until', 'expires_at'), '<=', now))
    .execute();
}

/** Returns the number of valid codes of a user. */
export async function countShareCodes(trx: Trx, userId: string, now: Date): Promise<number> {
  const row = await trx
    .selectFrom('share_codes')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

const findShareCode = (db: Db | Trx, codeHash: Buffer) =>
  db
    .selectFrom('share_codes')
    .select(['user_id', 'expires_at', 'kept_until'])
    .where('code_hash', '=', codeHash);

/** Locks and returns a code, so that two users cannot both use it. */
export const lockShareCode = (trx: Trx, codeHash: Buffer) =>
  findShareCode(trx, codeHash).forUpdate().executeTakeFirst();

/** Returns a code of a user. */
export const findOwnShareCode = (db: Db, userId: string, codeHash: Buffer) =>
  findShareCode(db, codeHash).where('user_id', '=', userId).executeTakeFirst();

/** Marks a code as used. Also expires it, so that the previous release rejects it too. */
export async function markShareCodeUsed(
  trx: Trx,
  codeHash: Buffer,
  now: Date,
  keptUntil: Date,
): Promise<void> {
  await trx
    .updateTable('share_codes')
    .set({ expires_at: now, kept_until: keptUntil })
    .where('code_hash', '=', codeHash)
    .execute();
}

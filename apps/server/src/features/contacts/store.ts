/**
 * Statements on contacts and share codes.
 */
import type { Db, Trx } from '../../db/pool.ts';
import type { ContactsTable } from '../../db/tables.ts';

export type ContactRow = Omit<ContactsTable, 'user_id' | 'created_at'>;

export const findContact = (trx: Trx, userId: string, email: string): Promise<ContactRow | undefined> =>
  trx
    .selectFrom('contacts')
    .select(['email', 'name', 'mlkem_public', 'dh_public', 'fingerprint', 'verified'])
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst();

export const countContacts = async (trx: Trx, userId: string): Promise<number> => {
  const row = await trx
    .selectFrom('contacts')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.n);
};

export const upsertContact = async (trx: Trx, userId: string, row: ContactRow): Promise<void> => {
  const { email, ...fields } = row;
  await trx
    .insertInto('contacts')
    .values({ user_id: userId, ...row })
    .onConflict(conflict => conflict.columns(['user_id', 'email']).doUpdateSet(fields))
    .execute();
};

/** Removes a contact; false when there is none of this address. */
export const deleteContact = async (db: Db, userId: string, email: string): Promise<boolean> => {
  const result = await db
    .deleteFrom('contacts')
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
};

/** Adds the bonus of the first contact; false when this account has had it. */
export const claimBonus = async (trx: Trx, userId: string, now: Date, bytes: number): Promise<boolean> => {
  const result = await trx
    .updateTable('users')
    .set(eb => ({ first_contact_at: now, bonus_bytes: eb('bonus_bytes', '+', bytes) }))
    .where('id', '=', userId)
    .where('first_contact_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

export const findPrimaryAddress = async (trx: Trx, userId: string): Promise<string | null> => {
  const row = await trx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return row?.email ?? null;
};

export const insertShareCode = async (
  trx: Trx,
  { userId, codeHash, expiresAt }: { userId: string; codeHash: Buffer; expiresAt: Date },
): Promise<void> => {
  await trx
    .insertInto('share_codes')
    .values({ user_id: userId, code_hash: codeHash, expires_at: expiresAt })
    .execute();
};

/** Removes a user's codes that have expired, and all but the youngest few, of which the one just made is one. */
export const pruneShareCodes = async (
  trx: Trx,
  { userId, codeHash }: { readonly userId: string; readonly codeHash: Buffer },
  now: Date,
  kept: number,
): Promise<void> => {
  await trx
    .deleteFrom('share_codes')
    .where('user_id', '=', userId)
    .where(eb =>
      eb.or([
        eb('expires_at', '<=', now),
        eb(
          'code_hash',
          'not in',
          eb
            .selectFrom('share_codes as youngest')
            .select('youngest.code_hash')
            .where('youngest.user_id', '=', userId)
            .orderBy('youngest.expires_at', 'desc')
            // Of several made in one millisecond.
            .orderBy(youngest => youngest('youngest.code_hash', '=', codeHash), 'desc')
            .limit(kept),
        ),
      ]),
    )
    .execute();
};

/** Spends a code: its owner's id, or null when it is not there or has expired. Two at once cannot both have it. */
export const spendShareCode = async (trx: Trx, codeHash: Buffer, now: Date): Promise<string | null> => {
  const rows = await trx
    .deleteFrom('share_codes')
    .where('code_hash', '=', codeHash)
    .returning(['user_id', 'expires_at'])
    .execute();
  const [row] = rows;
  return row === undefined || row.expires_at <= now ? null : row.user_id;
};

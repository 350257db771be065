/**
 * Statements on invitation and affiliate codes. The rules for what a code grants are in service.ts.
 */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { AffiliateCodesTable, InvitationCodesTable } from '../../../db/operations-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';

/** Has a use left and has not expired. */
const isOpen = (now: Date) => sql<SqlBool>`uses_left > 0 and (expires_at is null or expires_at > ${now})`;

/** Returns whether an invitation with this hash has a use left. */
export async function hasOpenInvitation(db: Db | Trx, codeHash: Buffer, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('invitation_codes')
    .select('id')
    .where('code_hash', '=', codeHash)
    .where(isOpen(now))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Consumes one use of an invitation. Of two concurrent requests for the last use, the second waits
 * for the first and gets none.
 */
export async function spendInvitation(trx: Trx, codeHash: Buffer, now: Date): Promise<boolean> {
  const result = await trx
    .updateTable('invitation_codes')
    .set(eb => ({ uses_left: eb('uses_left', '-', 1) }))
    .where('code_hash', '=', codeHash)
    .where(isOpen(now))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Counts a sign-up for a code; returns whether the code exists. */
export async function countSignup(trx: Trx, code: string): Promise<boolean> {
  const result = await trx
    .updateTable('affiliate_codes')
    .set(eb => ({ signups: eb('signups', '+', 1) }))
    .where('code', '=', code)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function insertInvitation(db: Trx, invitation: Insertable<InvitationCodesTable>): Promise<void> {
  await db.insertInto('invitation_codes').values(invitation).execute();
}

export const listInvitations = (
  db: Db,
  count: number,
): Promise<Omit<Selectable<InvitationCodesTable>, 'code_hash'>[]> =>
  db
    .selectFrom('invitation_codes')
    .select(['id', 'hint', 'note', 'uses_allowed', 'uses_left', 'expires_at', 'created_at'])
    .orderBy('created_at', 'desc')
    .limit(count)
    .execute();

/** Deletes an invitation; returns whether it existed. */
export async function deleteInvitation(db: Trx, id: string): Promise<boolean> {
  const result = await db.deleteFrom('invitation_codes').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Adds an affiliate's code; returns false when it already exists. */
export async function insertAffiliate(trx: Trx, code: string, note: string): Promise<boolean> {
  const result = await trx
    .insertInto('affiliate_codes')
    .values({ code, note })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const listAffiliates = (db: Db, count: number): Promise<Selectable<AffiliateCodesTable>[]> =>
  db
    .selectFrom('affiliate_codes')
    .selectAll()
    .orderBy('signups', 'desc')
    .orderBy('code')
    .limit(count)
    .execute();

/**
 * Deletes an affiliate's code; returns whether it existed. Accounts that signed up with it keep
 * their record of it.
 */
export async function deleteAffiliate(db: Trx, code: string): Promise<boolean> {
  const result = await db.deleteFrom('affiliate_codes').where('code', '=', code).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

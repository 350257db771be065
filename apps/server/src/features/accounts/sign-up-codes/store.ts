/**
 * Statements on invitation and affiliate codes. What a code is good for is service.ts' rule.
 */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { AffiliateCodesTable, InvitationCodesTable } from '../../../db/operations-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';

/** Has a use left, and time. */
const isOpen = (now: Date) => sql<SqlBool>`uses_left > 0 and (expires_at is null or expires_at > ${now})`;

/** Whether an invitation of this hash has a use left. */
export async function hasOpenInvitation(db: Db | Trx, codeHash: Buffer, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('invitation_codes')
    .select('id')
    .where('code_hash', '=', codeHash)
    .where(isOpen(now))
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes one use of an invitation; of two that want the last one, the second waits for the first and gets none. */
export async function spendInvitation(trx: Trx, codeHash: Buffer, now: Date): Promise<boolean> {
  const result = await trx
    .updateTable('invitation_codes')
    .set(eb => ({ uses_left: eb('uses_left', '-', 1) }))
    .where('code_hash', '=', codeHash)
    .where(isOpen(now))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Counts a sign-up for a code; whether there is such a code. */
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

/** Removes an invitation; whether it was there. */
export async function deleteInvitation(db: Trx, id: string): Promise<boolean> {
  const result = await db.deleteFrom('invitation_codes').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Adds an affiliate's code; false when there is one already. */
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

/** Removes an affiliate's code; whether it was there. Accounts that were made with it keep their note of it. */
export async function deleteAffiliate(db: Trx, code: string): Promise<boolean> {
  const result = await db.deleteFrom('affiliate_codes').where('code', '=', code).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

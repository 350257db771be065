/** Statements on signatures. Callers pass content already sealed. */
import type { Insertable } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';
import type { SignaturesTable } from '../../../db/tables.ts';

export const findSignatures = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('signatures')
    .select(['id', 'content_sealed', 'is_default'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

/** Returns whether the signature with this id belongs to another user. */
export async function isForeign(db: Db | Trx, userId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('signatures')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '!=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countSignatures(trx: Trx, userId: string): Promise<number> {
  const row = await trx
    .selectFrom('signatures')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.n;
}

/** Clears the default flag of a user's signatures. */
export async function clearDefault(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('signatures')
    .set({ is_default: false })
    .where('user_id', '=', userId)
    .where('is_default', '=', true)
    .execute();
}

export async function insertSignature(trx: Trx, row: Insertable<SignaturesTable>): Promise<void> {
  await trx.insertInto('signatures').values(row).execute();
}

/** Replaces a signature's content; returns false when the user has no signature with this id. */
export async function updateSignature(
  trx: Trx,
  row: Pick<SignaturesTable, 'user_id' | 'id' | 'content_sealed' | 'is_default'>,
): Promise<boolean> {
  const result = await trx
    .updateTable('signatures')
    .set({ content_sealed: row.content_sealed, is_default: row.is_default })
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteSignature(db: Db, userId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('signatures')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Statements on records, small items that clients seal for themselves. */
import type { Insertable } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';
import type { RecordsTable } from '../../../db/tables.ts';

export type RecordName = { readonly userId: string; readonly kind: string; readonly id: string };

export function findRecords(db: Db, userId: string, kind: string, after: string | undefined, count: number) {
  const query = db
    .selectFrom('records')
    .select(['id', 'version', 'sealed', 'key_used', 'updated_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .orderBy('id')
    .limit(count);
  return (after === undefined ? query : query.where('id', '>', after)).execute();
}

/** Returns a record's version and size, and whether it contains exactly these bytes. */
export const findRecord = (trx: Trx, { userId, kind, id }: RecordName, sealed: Buffer) =>
  trx
    .selectFrom('records')
    .select(eb => ['version', 'size_bytes', eb('sealed', '=', sealed).as('is_same')])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();

/** Returns the number of a user's records and their total bytes. */
export const sumRecords = (trx: Trx, userId: string) =>
  trx
    .selectFrom('records')
    .select(eb => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.coalesce(eb.fn.sum<number>('size_bytes'), eb.lit(0)).as('bytes'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();

export async function upsertRecord(trx: Trx, row: Insertable<RecordsTable>): Promise<void> {
  const { version, sealed, size_bytes, key_used, updated_at } = row;
  await trx
    .insertInto('records')
    .values(row)
    .onConflict(conflict =>
      conflict
        .columns(['user_id', 'kind', 'id'])
        .doUpdateSet({ version, sealed, size_bytes, key_used, updated_at }),
    )
    .execute();
}

export async function deleteRecord(db: Db | Trx, { userId, kind, id }: RecordName): Promise<void> {
  await db
    .deleteFrom('records')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .execute();
}

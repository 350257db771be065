/** SQL for users' inbound filters. Sealed values stay sealed here. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

export type FilterRow = {
  readonly user_id: string;
  readonly version: number;
  readonly rules_sealed: Buffer | null;
  readonly settings_sealed: Buffer | null;
  readonly settings_updated_at: Date | null;
};

/** Returns the filter versions of those users who have any filters. */
export async function findVersions(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('mail_filters')
    .select(['user_id', 'version'])
    .where('user_id', 'in', [...userIds])
    .execute();
  return new Map(rows.map(row => [row.user_id, row.version]));
}

export const findFilters = (db: Db | Trx, userId: string): Promise<FilterRow | undefined> =>
  db.selectFrom('mail_filters').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** Creates a user's row if there is none, and locks it until the transaction ends. */
export async function lockFilters(trx: Trx, userId: string): Promise<FilterRow> {
  await trx
    .insertInto('mail_filters')
    .values({ user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  return trx
    .selectFrom('mail_filters')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateFilters(
  trx: Trx,
  userId: string,
  change: Partial<Pick<FilterRow, 'rules_sealed' | 'settings_sealed' | 'settings_updated_at'>>,
): Promise<void> {
  await trx
    .updateTable('mail_filters')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('user_id', '=', userId)
    .execute();
}

/** Returns accounts without settings after an id, at most `limit`. */
export async function findUsersWithoutSettings(
  db: Db,
  afterId: string | null,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('mail_filters', 'mail_filters.user_id', 'users.id')
    .select('users.id')
    .where('mail_filters.settings_sealed', 'is', null)
    .$if(afterId !== null, query => query.where('users.id', '>', afterId ?? ''))
    .orderBy('users.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Statements that the archive of containers asks: which containers there are, and which of some are no more. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/pool.ts';

const ROWS_AT_ONCE = 2_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Ids of all containers, or of those that were made since a time, a few thousand at a time. */
export async function* containersSince(db: Db, since: Date | null): AsyncGenerator<string> {
  for (let after = NO_ID; ; ) {
    const rows = await db
      .selectFrom('blobs')
      .select('id')
      .where('id', '>', after)
      .$if(since !== null, found => found.where('created_at', '>=', since))
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { id } of rows) yield id;
    const last = rows.at(-1)?.id;
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = last;
  }
}

/** Those of some ids that no container has. */
export const withoutContainer = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('blobs')
    .select('id')
    .where(sql<SqlBool>`id = any(${[...ids]}::uuid[])`)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter(id => !known.has(id));
};

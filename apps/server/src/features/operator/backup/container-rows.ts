/**
 * SQL for missing or archived containers: which exist, which are referenced, and which of a list no
 * longer exist.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';

const ROWS_AT_ONCE = 2_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

async function* pagesOfContainers(db: Db, since: Date | null): AsyncGenerator<string[]> {
  for (let after = NO_ID; ; ) {
    const rows = await db
      .selectFrom('blobs')
      .select('id')
      .where('id', '>', after)
      .$if(since !== null, found => found.where('created_at', '>=', since))
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute();
    yield rows.map(({ id }) => id);
    const last = rows.at(-1)?.id;
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = last;
  }
}

/** Yields the ids of all containers, or of those created since a time, a few thousand at a time. */
export async function* containersSince(db: Db, since: Date | null): AsyncGenerator<string> {
  for await (const ids of pagesOfContainers(db, since)) yield* ids;
}

/**
 * Yields the ids of all containers that the database refers to (NAMED_CONTAINERS), a few thousand
 * at a time and not in one snapshot.
 */
export async function* namedContainers(db: Db): AsyncGenerator<string> {
  for await (const ids of pagesOfContainers(db, null)) {
    const { rows } = await sql<{ id: string }>`
      select blob_id as id from mail_attachments where blob_id = any(${ids}::uuid[])
      union select blob_id from search_segments where blob_id = any(${ids}::uuid[])
      union select blob_id from import_containers where blob_id = any(${ids}::uuid[])`.execute(db);
    for (const { id } of rows) yield id;
  }
}

/** Returns those ids that belong to no container. */
export async function withoutContainer(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('blobs')
    .select('id')
    .where(sql<SqlBool>`id = any(${[...ids]}::uuid[])`)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter(id => !known.has(id));
}

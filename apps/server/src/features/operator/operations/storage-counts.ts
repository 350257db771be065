/**
 * Reports how much is stored without counting it each time ([Note: Storage counts] in
 * migrations/0037-operations.ts), and how large the tables are, from PostgreSQL's file sizes.
 */
import { statfs } from 'node:fs/promises';
import { type SqlBool, sql } from 'kysely';
import type { Deps } from '../../../context/deps.ts';
import { lockKeys, sharedQueue } from '../../../db/claim.ts';
import type { Db } from '../../../db/pool.ts';

export type Stored = { readonly kind: string; readonly items: number; readonly size_bytes: number };

/** Returns the container counts of the blob store: all containers, and search index segments. */
async function readCounts(db: Db): Promise<ReadonlyMap<string, Stored>> {
  // One statement reads totals and changes in one snapshot, whatever the folding job does.
  const { rows } = await sql<Stored>`
    select kind, sum(items)::bigint as items, sum(size_bytes)::bigint as size_bytes
    from (select kind, items, size_bytes from storage_totals
      union all select kind, items, size_bytes from storage_changes) all_of_them
    group by kind`.execute(db);
  return new Map(rows.map(row => [row.kind, row]));
}

/** Returns containers by purpose: files of messages, segments of search indexes. */
export async function countContainers(db: Db): Promise<Stored[]> {
  const counts = await readCounts(db);
  const of = (kind: string) => counts.get(kind) ?? { kind, items: 0, size_bytes: 0 };
  const [all, search] = [of('containers'), of('search')];
  return [
    { kind: 'files', items: all.items - search.items, size_bytes: all.size_bytes - search.size_bytes },
    search,
  ];
}

const CHANGES_PER_BATCH = 10_000;
const changeQueue = sharedQueue('storage_changes', ['id']);

/** Adds the recorded changes to the totals. Returns how many changes there were. */
export async function foldStorageCounts({ db }: Pick<Deps, 'db'>): Promise<number> {
  let folded = 0;
  for (;;) {
    const { rows } = await sql<{ taken: number }>`
      with taken as (
        delete from storage_changes where id = any (array(${lockKeys(changeQueue, {
          where: sql<SqlBool>`true`,
          orderBy: 'id',
          limit: CHANGES_PER_BATCH,
        })})) returning kind, items, size_bytes
      ), added as (
        insert into storage_totals as t (kind, items, size_bytes)
          select kind, sum(items), sum(size_bytes) from taken group by kind
        on conflict (kind) do update
          set items = t.items + excluded.items, size_bytes = t.size_bytes + excluded.size_bytes
      )
      select count(*) as taken from taken`.execute(db);
    const taken = rows[0]?.taken ?? 0;
    folded += taken;
    if (taken < CHANGES_PER_BATCH) return folded;
  }
}

/** Purpose of tables by name prefix; the first match applies. */
const TABLE_KINDS: readonly (readonly [RegExp, string])[] = [
  [/^pgboss\./, 'jobs'],
  [/^public\.(mail|tags|inbound_receipts|blobs)/, 'mail'],
  [/^public\.(outbound|held|send_receipts)/, 'outgoing'],
  [/^public\.(search|records|signatures|contacts)/, 'kept by users'],
  [/^public\.key_log/, 'key log'],
];

/**
 * Returns the bytes of the whole database, or of its tables if the total is unavailable, and of the
 * tables with their indexes by purpose.
 */
export async function measureDatabase(
  db: Db,
): Promise<{ readonly database_bytes: number; readonly tables: Stored[] }> {
  const { rows } = await sql<{ name: string; size_bytes: number }>`
    select n.nspname || '.' || c.relname as name, pg_total_relation_size(c.oid) as size_bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'pgboss')`.execute(db);
  // YugabyteDB returns null (issue 19158).
  const whole = await sql<{
    size: number | null;
  }>`select pg_database_size(current_database()) as size`.execute(db);
  const kindOf = (name: string) =>
    TABLE_KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'accounts and the rest';
  const tables = [...Map.groupBy(rows, row => kindOf(row.name))].map(([kind, ofKind]) => ({
    kind,
    items: ofKind.length,
    size_bytes: ofKind.reduce((sum, row) => sum + row.size_bytes, 0),
  }));
  return {
    database_bytes: whole.rows[0]?.size ?? tables.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    tables: tables.sort((a, b) => b.size_bytes - a.size_bytes),
  };
}

/** Returns the capacity of a folder's file system, or null when it is unavailable. */
export async function measureDisk(
  folder: string,
): Promise<{ readonly free_bytes: number; readonly total_bytes: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}

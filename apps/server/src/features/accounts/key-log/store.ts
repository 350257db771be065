/**
 * Statements on the key log.
 */
import { type Insertable, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';
import type { KeyLogEntriesTable, KeyLogHeadsTable } from '../../../db/tables.ts';
import type { MapNode, MapNodes } from './map.ts';
import type { TreeNode, TreePlace } from './tree.ts';

/** Id of the lock under which the log is extended, across all machines of the service. */
const LOCK = 7_201_837;

export async function lockLog(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
}

/** Returns names that changed since the log was last updated. */
export const findNotes = (db: Db | Trx, limit: number) =>
  db.selectFrom('key_log_notes').select(['id', 'name']).orderBy('id').limit(limit).execute();

export async function removeNotes(trx: Trx, ids: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('key_log_notes')
    .where('id', 'in', [...ids])
    .execute();
}

/** Returns whether one of these names has a change that is not in the log yet. */
export const hasNotes = async (trx: Trx, names: readonly string[]): Promise<boolean> =>
  (await trx
    .selectFrom('key_log_notes')
    .select('id')
    .where(sql<SqlBool>`name = any(${[...names]}::text[])`)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Returns the newest state, or undefined when there is none. */
export const findHead = (db: Db | Trx) =>
  db.selectFrom('key_log_heads').selectAll().orderBy('size', 'desc').limit(1).executeTakeFirst();

export async function insertHead(trx: Trx, head: Insertable<KeyLogHeadsTable>): Promise<void> {
  await trx.insertInto('key_log_heads').values(head).execute();
}

export const findEntries = (db: Db | Trx, tags: readonly Uint8Array[]) =>
  db
    .selectFrom('key_log_entries')
    .select(['tag', 'version', 'previous', 'entry', 'keys'])
    .where(sql<SqlBool>`tag = any(${tags.map(tag => Buffer.from(tag))}::bytea[])`)
    .execute();

export async function upsertEntry(
  trx: Trx,
  row: Insertable<KeyLogEntriesTable> & { changed_at: Date },
): Promise<void> {
  const { changed_at, ...entry } = row;
  const { tag, version, previous, keys } = row;
  await trx
    .insertInto('key_log_entries')
    .values(entry)
    .onConflict(conflict => conflict.column('tag').doUpdateSet({ version, previous, entry: row.entry, keys }))
    .execute();
  await trx.insertInto('key_log_versions').values({ tag, version, keys, changed_at }).execute();
}

/** Returns the newest versions of a name, newest first. */
export const findVersions = (db: Db, tag: Uint8Array, limit: number) =>
  db
    .selectFrom('key_log_versions')
    .select(['version', 'keys', 'changed_at'])
    .where('tag', '=', Buffer.from(tag))
    .orderBy('version', 'desc')
    .limit(limit)
    .execute();

export async function findMapNodes(db: Db | Trx, prefixes: readonly string[]): Promise<MapNodes> {
  const rows = await db
    .selectFrom('key_log_map')
    .selectAll()
    .where(sql<SqlBool>`prefix = any(${[...prefixes]}::text[])`)
    .execute();
  return new Map(
    rows.map(({ prefix, left_hash, right_hash, tag, entry }): [string, MapNode] => {
      if (left_hash !== null && right_hash !== null)
        return [prefix, { kind: 'node', left: left_hash, right: right_hash }];
      if (tag === null || entry === null) throw new Error('A node of the key log is damaged');
      return [prefix, { kind: 'leaf', tag, entry }];
    }),
  );
}

const bytesOrNull = (bytes: Uint8Array | null): Buffer | null => (bytes === null ? null : Buffer.from(bytes));

export async function saveMapNodes(trx: Trx, nodes: readonly (readonly [string, MapNode])[]): Promise<void> {
  const rows = nodes.map(([prefix, node]) => ({
    prefix,
    left_hash: bytesOrNull(node.kind === 'node' ? node.left : null),
    right_hash: bytesOrNull(node.kind === 'node' ? node.right : null),
    tag: bytesOrNull(node.kind === 'leaf' ? node.tag : null),
    entry: bytesOrNull(node.kind === 'leaf' ? node.entry : null),
  }));
  const ROWS_AT_ONCE = 1_000;
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await trx
      .insertInto('key_log_map')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflict(conflict =>
        conflict.column('prefix').doUpdateSet(eb => ({
          left_hash: eb.ref('excluded.left_hash'),
          right_hash: eb.ref('excluded.right_hash'),
          tag: eb.ref('excluded.tag'),
          entry: eb.ref('excluded.entry'),
        })),
      )
      .execute();
}

export async function findTreeNodes(db: Db | Trx, places: readonly TreePlace[]): Promise<TreeNode[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<{ level: number; place: number; hash: Buffer }>`
    select t.level, t.place, t.hash from key_log_tree t
    join unnest(${places.map(({ level }) => level)}::smallint[], ${places.map(({ place }) => place)}::bigint[])
      as wanted (level, place) on t.level = wanted.level and t.place = wanted.place`.execute(db);
  return rows;
}

export async function insertTreeNodes(trx: Trx, nodes: readonly TreeNode[]): Promise<void> {
  await trx
    .insertInto('key_log_tree')
    .values(nodes.map(({ level, place, hash }) => ({ level, place, hash: Buffer.from(hash) })))
    .execute();
}

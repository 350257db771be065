/**
 * Reads whole tables from one snapshot and writes them into an empty database with COPY. The schema
 * is not read: the migrations create it, and a list of their names identifies it. Excludes unlogged
 * tables (counters that a crash also loses), the migrations' own tables, and other schemas (pg-boss
 * recreates its own).
 */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type Connection, clientOf } from './connection.ts';

/** A table and its writable columns; generated columns are excluded. */
export type BulkTable = { readonly name: string; readonly columns: readonly string[] };
/** The current value of a sequence; unused sequences are omitted. */
export type SequenceState = { readonly name: string; readonly value: string };

export type Snapshot = {
  /** Ordered so that referenced tables come before the tables that refer to them. */
  readonly tables: readonly BulkTable[];
  readonly sequences: readonly SequenceState[];
  /** Names of the applied migrations, in order. */
  readonly migrations: readonly string[];
  /** PostgreSQL's version, such as 18.4. */
  readonly serverVersion: string;
  /** Streams the rows of a table in COPY's binary format. */
  readonly read: (table: BulkTable) => Readable & { readonly rowCount: number };
  /** Streams the result of a query in COPY's text format, one line per row. */
  readonly lines: (query: string) => Readable;
  /** Returns an order-independent digest of a table's rows, including the row count. */
  readonly digest: (table: BulkTable) => Promise<string>;
};

const { escapeIdentifier, escapeLiteral } = pg;

const columnsOf = ({ columns }: BulkTable): string => columns.map(escapeIdentifier).join(', ');

/**
 * Opens a connection without time limits, because copying a table can take any length of time.
 * Settings make every server format rows alike.
 */
async function connect(connection: Connection): Promise<pg.Client> {
  const Client = clientOf(connection);
  const client = new Client({ ...connection, application_name: 'keyfold-copy' });
  // The caller sees the failure as the statement's rejection.
  client.on('error', () => {});
  await client.connect();
  await client.query(
    "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC'; set bytea_output = 'hex'; set datestyle = 'ISO'; set extra_float_digits = 1",
  );
  return client;
}

/**
 * Orders tables so that each comes after the tables it refers to. Throws if the references form a
 * cycle.
 */
function inOrderOfReference(
  tables: readonly BulkTable[],
  references: readonly { readonly from: string; readonly to: string }[],
): BulkTable[] {
  const ordered: BulkTable[] = [];
  let rest = [...tables];
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name));
    const isReady = ({ name }: BulkTable) =>
      !references.some(one => one.from === name && one.to !== name && waiting.has(one.to));
    const ready = rest.filter(isReady);
    if (ready.length === 0) throw new Error(`Circular references between tables: ${[...waiting].join(', ')}`);
    ordered.push(...ready);
    rest = rest.filter(table => !isReady(table));
  }
  return ordered;
}

async function findTables(client: pg.Client): Promise<BulkTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and c.relname not in ('kysely_migration', 'kysely_migration_lock')
    group by c.relname order by c.relname`);
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select f.relname as from, t.relname as to
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace`);
  return inOrderOfReference(rows, references);
}

async function findMigrations(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query(
    "select to_regclass('public.kysely_migration') is not null as yes",
  );
  if (found[0]?.yes !== true) return [];
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/**
 * Runs `work` with a consistent snapshot of the database. Rejects if the database cannot be reached
 * or `work` rejects.
 */
export async function withSnapshot<T>(
  connection: Connection,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await connect(connection);
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows: sequences } = await client.query<SequenceState>(`
      select sequencename as name, last_value::text as value from pg_sequences
      where schemaname = 'public' and last_value is not null order by 1`);
    const { rows: version } = await client.query<{ server_version: string }>('show server_version');
    const result = await work({
      tables: await findTables(client),
      sequences,
      migrations: await findMigrations(client),
      serverVersion: (version[0]?.server_version ?? '').split(' ')[0] ?? '',
      read: table =>
        client.query(
          copyTo(`copy ${escapeIdentifier(table.name)} (${columnsOf(table)}) to stdout (format binary)`),
        ),
      lines: query => client.query(copyTo(`copy (${query}) to stdout`)),
      digest: table => digestOf(client, table),
    });
    await client.query('commit');
    return result;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function digestOf(client: pg.Client, table: BulkTable): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(`
    select count(*) || ' ' || coalesce(sum(('x' || left(md5(t::text), 16))::bit(64)::bigint::numeric), 0) as digest
    from (select ${columnsOf(table)} from ${escapeIdentifier(table.name)}) t`);
  return rows[0]?.digest ?? '';
}

export type Target = {
  /** Writes a table from COPY's binary format; returns the number of rows. */
  readonly write: (table: BulkTable, content: Readable) => Promise<number>;
  readonly digest: (table: BulkTable) => Promise<string>;
};

/**
 * Replaces the content of a database that has our schema with what `work` writes, completely or, if
 * anything rejects, not at all. Triggers do not run, because the tables already contain what
 * triggers maintain.
 */
export async function replaceContent(
  connection: Connection,
  tables: readonly BulkTable[],
  sequences: readonly SequenceState[],
  work: (target: Target) => Promise<void>,
): Promise<void> {
  const client = await connect(connection);
  const each = (statement: (name: string) => string) =>
    client.query(tables.map(({ name }) => statement(escapeIdentifier(name))).join('; '));
  try {
    await client.query('begin');
    const there = new Set((await findTables(client)).map(({ name }) => name));
    const unknown = [...there].filter(name => !tables.some(table => table.name === name));
    const missing = tables.filter(({ name }) => !there.has(name)).map(({ name }) => name);
    if (unknown.length + missing.length > 0)
      throw new Error(`The tables differ: ${[...unknown, ...missing].join(', ')}`);
    await client.query(`truncate ${tables.map(({ name }) => escapeIdentifier(name)).join(', ')}`);
    await each(name => `alter table ${name} disable trigger user`);
    await work({
      write: async (table, content) => {
        const writing = client.query(
          copyFrom(`copy ${escapeIdentifier(table.name)} (${columnsOf(table)}) from stdin (format binary)`),
        );
        await pipeline(content, writing);
        return writing.rowCount;
      },
      digest: table => digestOf(client, table),
    });
    await each(name => `alter table ${name} enable trigger user`);
    for (const { name, value } of sequences)
      await client.query(`select setval(${escapeLiteral(escapeIdentifier(name))}, ${BigInt(value)}, true)`);
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Returns why a database cannot receive content from another one, as the rest of a sentence, or
 * null if it can.
 */
export async function findObstacle(
  connection: Connection,
  migrations: readonly string[],
): Promise<string | null> {
  const client = await connect(connection);
  try {
    const applied = await findMigrations(client);
    if (applied.length === 0) {
      const { rows } = await client.query("select 1 from pg_tables where schemaname = 'public' limit 1");
      return rows.length > 0 ? 'it has tables that do not belong to Keyfold' : null;
    }
    if (!applied.every((name, index) => migrations[index] === name))
      return 'it was used by another version of Keyfold';
    const { rows } = await client.query('select 1 from users limit 1');
    return rows.length > 0 ? 'it has accounts' : null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

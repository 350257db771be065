/**
 * The parts of a schema that the previous release relies on, and what a newer schema breaks:
 * tables, columns and their types, rows it could write, and unique keys that its statements name.
 * docs/scaling.md explains why a release only adds.
 */
import { type Kysely, sql } from 'kysely';

/** Parts of a schema by name, with the description reported when a part is missing or changed. */
export type Schema = {
  /** Types by `table.column`. */
  readonly columns: ReadonlyMap<string, string>;
  /** Columns that an inserted row must provide, as `table.column`. */
  readonly needed: ReadonlySet<string>;
  /**
   * Definitions, by `table name`, of constraints that may reject a row: checks, unique keys,
   * foreign keys, exclusions.
   */
  readonly demands: ReadonlyMap<string, string>;
  /** `table (columns) where …` of unique keys, which `on conflict` refers to. */
  readonly keys: ReadonlySet<string>;
  /** Definitions, by `table name`, of triggers with their functions. */
  readonly triggers: ReadonlyMap<string, string>;
};

const read = async <T>(db: Kysely<never>, query: string): Promise<T[]> =>
  (await sql.raw<T>(query).execute(db)).rows;

type Named = { readonly name: string; readonly said: string };

export async function readSchema(db: Kysely<never>): Promise<Schema> {
  const columns = await read<Named & { is_needed: boolean }>(
    db,
    `select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as said,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as is_needed
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'kysely\\_%'`,
  );
  const constraints = await read<Named>(
    db,
    `select t.relname || ' ' || k.conname as name, pg_get_constraintdef(k.oid) as said
     from pg_constraint k join pg_class t on t.oid = k.conrelid
     where k.connamespace = 'public'::regnamespace and k.contype in ('c', 'f', 'x')`,
  );
  const unique = await read<Named>(
    db,
    `select t.relname || ' ' || i.relname as name,
       t.relname || ' ' || regexp_replace(pg_get_indexdef(i.oid), '^.* USING ', '') as said
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where x.indisunique and t.relnamespace = 'public'::regnamespace`,
  );
  const triggers = await read<Named>(
    db,
    `select t.relname || ' ' || g.tgname as name, pg_get_triggerdef(g.oid) || ' ' || p.prosrc as said
     from pg_trigger g join pg_class t on t.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
     where not g.tgisinternal and t.relnamespace = 'public'::regnamespace`,
  );
  const toMap = (rows: readonly Named[]) => new Map(rows.map(({ name, said }) => [name, said]));
  return {
    columns: toMap(columns),
    needed: new Set(columns.filter(({ is_needed }) => is_needed).map(({ name }) => name)),
    demands: toMap([...constraints, ...unique]),
    keys: new Set(unique.map(({ said }) => said)),
    triggers: toMap(triggers),
  };
}

const LITERAL = /'(?:[^']|'')*'::text/g;

/**
 * Whether a check equals the older one with more words in its lists, so that it accepts every row
 * that was accepted before.
 */
function isWider(older: string, newer: string): boolean {
  const lists = /ARRAY\[[^\]]*\]/g;
  const [before, after] = [older.match(lists) ?? [], newer.match(lists) ?? []];
  return (
    before.length > 0 &&
    before.length === after.length &&
    older.replace(lists, '') === newer.replace(lists, '') &&
    before.every((list, n) => {
      const known = new Set(after[n]?.match(LITERAL));
      return (list.match(LITERAL) ?? []).every(word => known.has(word));
    })
  );
}

const tableOf = (name: string): string => name.split(/[ .]/, 1)[0] ?? '';

/**
 * Returns one sentence for each incompatibility of a newer schema with a program written for the
 * older one.
 */
export function findContractions(older: Schema, newer: Schema): string[] {
  const found: string[] = [];
  const tables = new Set([...older.columns.keys()].map(tableOf));
  for (const [name, type] of older.columns) {
    const now = newer.columns.get(name);
    if (now === undefined) found.push(`${name} is gone or has another name`);
    else if (now !== type) found.push(`${name} was ${type} and is ${now}`);
  }
  for (const name of newer.needed)
    if (tables.has(tableOf(name)) && !older.needed.has(name))
      found.push(`${name} must be given, and is not known or was not needed`);
  for (const [name, said] of newer.demands)
    if (
      tables.has(tableOf(name)) &&
      ![...older.demands.values()].includes(said) &&
      !isWider(older.demands.get(name) ?? '', said)
    )
      found.push(`${name} refuses rows that were taken: ${said}`);
  for (const said of older.keys)
    if (!newer.keys.has(said)) found.push(`There is no unique key ${said} any more`);
  for (const [name, said] of newer.triggers)
    if (tables.has(tableOf(name)) && older.triggers.get(name) !== said)
      found.push(`${name} does something at each change that was not done, or otherwise`);
  for (const name of older.triggers.keys())
    if (!newer.triggers.has(name)) found.push(`${name} does no more what the program relies on`);
  return found.toSorted();
}

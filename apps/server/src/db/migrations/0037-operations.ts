/**
 * Data for the operator: why outbound mail waits, how jobs ran, and how much is stored.
 *
 * [Note: Storage counts] Triggers maintain the number and total size of encrypted blobs: each blob
 * that is added or removed adds a row to storage_changes, so that no two writers wait for each
 * other, and a job folds those rows into storage_totals. The current value is the totals plus the
 * remaining changes, read in one statement.
 */
import { type Kysely, sql } from 'kysely';

const noteChanges = (table: string, kind: string) => [
  `create or replace function note_${table}_come() returns trigger language plpgsql as $$
  begin
    insert into storage_changes (kind, items, size_bytes) values ('${kind}', 1, new.size_bytes);
    return null;
  end $$`,
  `create or replace function note_${table}_gone() returns trigger language plpgsql as $$
  begin
    insert into storage_changes (kind, items, size_bytes) values ('${kind}', -1, -old.size_bytes);
    return null;
  end $$`,
  `create or replace function note_${table}_changed() returns trigger language plpgsql as $$
  begin
    insert into storage_changes (kind, items, size_bytes)
      values ('${kind}', 0, new.size_bytes - old.size_bytes);
    return null;
  end $$`,
  `create or replace trigger ${table}_come_counted after insert on ${table}
    for each row execute function note_${table}_come()`,
  `create or replace trigger ${table}_gone_counted after delete on ${table}
    for each row execute function note_${table}_gone()`,
  `create or replace trigger ${table}_changed_counted after update on ${table}
    for each row when (old.size_bytes <> new.size_bytes) execute function note_${table}_changed()`,
];

/** Row by row, because YugabyteDB has no transition tables (issue 1668). */
export const COUNTING_ITEMS = [
  ...noteChanges('blobs', 'containers'),
  ...noteChanges('search_segments', 'search'),
];

const STATEMENTS = [
  `alter table outbound_recipients
    add column last_code smallint,
    add column last_status text`,
  'create index outbound_recipients_by_domain on outbound_recipients (domain_digest, message_id, id)',
  `create table job_runs (
    name text primary key,
    cron text not null,
    started_at timestamptz,
    ended_at timestamptz,
    succeeded_at timestamptz,
    took_ms integer,
    outcome text check (outcome in ('done', 'failed')),
    result jsonb not null default '{}',
    failure text
  )`,
  `create table storage_totals (
    kind text primary key,
    items bigint not null,
    size_bytes bigint not null
  )`,
  `create table storage_changes (
    id bigint generated always as identity primary key,
    kind text not null,
    items bigint not null,
    size_bytes bigint not null
  )`,
  ...COUNTING_ITEMS,
  `insert into storage_totals select 'containers', count(*), coalesce(sum(size_bytes), 0) from blobs`,
  `insert into storage_totals select 'search', count(*), coalesce(sum(size_bytes), 0) from search_segments`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

/**
 * What those who run the service look at: why outward mail waits, how jobs went, and how much is stored.
 *
 * [Note: Storage counts] How many containers there are, and of how many bytes, is kept by triggers: each statement that
 * adds or removes some leaves a row in storage_changes, so that no two writers wait for each other, and a job adds those
 * rows up into storage_totals. The truth at any time is the totals and the changes that are left, read by one statement.
 */
import { type Kysely, sql } from 'kysely';

const noteChanges = (table: string, kind: string) => [
  `create function note_${table}_come() returns trigger language plpgsql as $$
  begin
    insert into storage_changes (kind, items, size_bytes)
      select '${kind}', count(*), sum(size_bytes) from rows_now having count(*) > 0;
    return null;
  end $$`,
  `create function note_${table}_gone() returns trigger language plpgsql as $$
  begin
    insert into storage_changes (kind, items, size_bytes)
      select '${kind}', -count(*), -sum(size_bytes) from rows_then having count(*) > 0;
    return null;
  end $$`,
  `create function note_${table}_changed() returns trigger language plpgsql as $$
  begin
    insert into storage_changes (kind, items, size_bytes)
      select '${kind}', 0, difference from (
        select (select coalesce(sum(size_bytes), 0) from rows_now)
          - (select coalesce(sum(size_bytes), 0) from rows_then) as difference
      ) d where difference <> 0;
    return null;
  end $$`,
  `create trigger ${table}_come_counted after insert on ${table}
    referencing new table as rows_now for each statement execute function note_${table}_come()`,
  `create trigger ${table}_gone_counted after delete on ${table}
    referencing old table as rows_then for each statement execute function note_${table}_gone()`,
  `create trigger ${table}_changed_counted after update on ${table}
    referencing old table as rows_then new table as rows_now
    for each statement execute function note_${table}_changed()`,
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
  ...noteChanges('blobs', 'containers'),
  ...noteChanges('search_segments', 'search'),
  `insert into storage_totals select 'containers', count(*), coalesce(sum(size_bytes), 0) from blobs`,
  `insert into storage_totals select 'search', count(*), coalesce(sum(size_bytes), 0) from search_segments`,
] as const;

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};

/**
 * PST files that the server reads for their owners: one row per file, one import at a time per
 * user. The file is encrypted under its own key, which is sealed here under the master key and
 * deleted with the file. No row contains anything from the file's content.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table pst_imports (
    user_id uuid not null references users (id) on delete cascade,
    id uuid not null,
    status text not null default 'queued'
      check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
    key_sealed bytea,
    size_bytes bigint not null,
    has_folder_tags boolean not null,
    last_key text,
    total integer not null default 0,
    processed integer not null default 0,
    imported integer not null default 0,
    skipped integer not null default 0,
    failed integer not null default 0,
    errors jsonb not null default '[]',
    failure text,
    deaths integer not null default 0,
    leased_until timestamptz,
    created_at timestamptz not null,
    ended_at timestamptz,
    primary key (user_id, id)
  )`,
  `create unique index pst_imports_one_at_a_time on pst_imports (user_id)
    where status in ('queued', 'running')`,
  `create index pst_imports_waiting on pst_imports (created_at) where status in ('queued', 'running')`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

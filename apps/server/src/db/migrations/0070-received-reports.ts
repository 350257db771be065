/**
 * What other servers' reports say about our domains, as numbers, and complaints about a user's
 * mail. Keyed digests identify reports and complaints, so that a duplicate counts once.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table received_reports (
    digest bytea primary key,
    kind text not null check (kind in ('dmarc', 'tls')),
    domain text not null,
    day date not null,
    good bigint not null,
    bad bigint not null,
    received_at timestamptz not null
  )`,
  'create index received_reports_by_time on received_reports (received_at)',
  `create table complaints (
    user_id uuid not null references users (id) on delete cascade,
    digest bytea not null,
    received_at timestamptz not null,
    primary key (user_id, digest)
  )`,
  'create index complaints_by_time on complaints (received_at)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

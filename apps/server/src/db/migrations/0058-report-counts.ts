/**
 * One table for the counts of all daily reports, replacing the one for TLS: keyed digests of domain
 * and entry, and the entry itself sealed under the master key. See [Note: Report ledger] in
 * features/reports/report-aggregator/service.ts.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'drop table tls_results',
  `create table report_counts (
    kind text not null check (kind in ('dmarc', 'tls')),
    day date not null,
    domain_digest bytea not null,
    entry_digest bytea not null,
    entry_sealed bytea not null,
    count integer not null,
    next_try_at timestamptz not null,
    primary key (kind, day, domain_digest, entry_digest)
  )`,
  'create index report_counts_by_try on report_counts (kind, next_try_at)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

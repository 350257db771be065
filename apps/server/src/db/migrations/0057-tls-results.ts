/**
 * TLS results of deliveries to other domains, counted per day for the reports those domains request
 * (RFC 8460): keyed digests of day, domain and result, and the result itself sealed under the
 * master key. Rows are deleted with the report, or after two days.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table tls_results (
    day date not null,
    domain_digest bytea not null,
    result_digest bytea not null,
    result_sealed bytea not null,
    sessions integer not null,
    next_try_at timestamptz not null,
    primary key (day, domain_digest, result_digest)
  )`,
  'create index tls_results_by_try on tls_results (next_try_at)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

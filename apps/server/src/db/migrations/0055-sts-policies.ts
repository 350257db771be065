/**
 * MTA-STS policies of other domains, until they expire: a keyed digest of the domain, and the
 * policy sealed under the master key, so that the database does not reveal to whom users wrote.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table sts_policies (
    domain_digest bytea primary key,
    policy_sealed bytea not null,
    fetched_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index sts_policies_by_expiry on sts_policies (expires_at)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

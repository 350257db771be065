/**
 * Greylisting: which senders were deferred and which have retried, as keyed digests of networks,
 * and of network, sender and recipient together.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table greylist (
    digest bytea primary key,
    since timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index greylist_by_expiry on greylist (expires_at)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

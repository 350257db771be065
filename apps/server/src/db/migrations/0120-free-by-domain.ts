/**
 * When rows of the queue may be claimed, per destination: finds what is due at one destination
 * without reading what is due at others, however much that is. See [Note: Used up shares] in
 * features/outbound/delivery/claim-store.ts.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index outbound_recipients_free_by_domain
      on outbound_recipients (domain_digest, (greatest(next_attempt_at, leased_until)))`,
    )
    .execute(db);
}

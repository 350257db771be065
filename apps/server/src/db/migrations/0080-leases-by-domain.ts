/**
 * Counts a domain's concurrent deliveries over all workers from the existing leases: few rows,
 * regardless of the queue's length.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index outbound_recipients_leased on outbound_recipients (domain_digest, message_id, leased_until)
      where leased_until is not null`,
    )
    .execute(db);
}

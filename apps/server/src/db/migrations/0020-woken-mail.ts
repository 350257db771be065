/**
 * Tells apart where a mail stands in lists and when it was received, which a snoozed mail that woke makes two things.
 *
 * [Note: Place and reception] received_at is the place: what lists are ordered by, and what their indexes hold. A mail that
 * is moved to the top gets a new one, and keeps the time of its reception in first_received_at; null means that the mail
 * was never moved. Readers get the time of reception, and lists in the order of places.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = ['alter table mails add column first_received_at timestamptz'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

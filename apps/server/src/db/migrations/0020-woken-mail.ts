/**
 * Separates a message's position in lists from its time of reception, because they differ once a
 * snooze ends.
 *
 * [Note: Place and reception] received_at is the position: lists are ordered by it, and their
 * indexes contain it. A message that moves to the top gets a new received_at and keeps its time of
 * reception in first_received_at; null means that the message was never moved. Readers receive the
 * time of reception, and lists are ordered by position.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = ['alter table mails add column first_received_at timestamptz'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

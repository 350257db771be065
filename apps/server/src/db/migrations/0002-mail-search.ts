/**
 * What queries over mail need beyond the buckets: the people of a mail as searchable text, and an index on conversations
 * that knows each mail's mask, so that neither the newest mail of a conversation nor its size needs the rows themselves; and one to find empty drafts by.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table mails add column people text not null default ''`,
  'drop index mails_by_thread',
  `create index mails_by_thread on mails (user_id, thread_id, received_at desc, id desc) include (flags)`,
  // Only drafts that never got a body have no headers: what the collection of abandoned ones looks for.
  `create index mails_by_empty_draft on mails (received_at) where headers = ''`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

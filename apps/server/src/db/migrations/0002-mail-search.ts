/**
 * What queries over messages need beyond the flag groups: the people of a message as searchable
 * text; an index on conversations that includes each message's mask, so that neither the newest
 * message of a conversation nor its size requires reading rows; and an index for finding empty
 * drafts.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table mails add column people text not null default ''`,
  'drop index mails_by_thread',
  `create index mails_by_thread on mails (user_id, thread_id, received_at desc, id desc) include (flags)`,
  // Only drafts that never got a body have no headers; the cleanup of abandoned drafts looks for
  // them.
  `create index mails_by_empty_draft on mails (received_at) where headers = ''`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

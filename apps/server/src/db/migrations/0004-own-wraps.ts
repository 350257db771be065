/**
 * Messages that were opened once store their message key wrapped for the owner beside the sender's
 * wrap, so that a list carries 60 bytes for it instead of 1,600. The index of flag groups also
 * gains each message's conversation, so that indexes alone can produce a list of conversations.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table mails add column own_key bytea, add column own_salt bytea',
  'drop index mails_by_bucket',
  'create index mails_by_bucket on mails (user_id, flags, received_at desc, id desc) include (thread_id)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

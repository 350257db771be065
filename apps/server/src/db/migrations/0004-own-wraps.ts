/**
 * Mails that were opened once keep their message key wrapped for their owner beside the sender's wrap, so that a list
 * carries 60 bytes for it and not 1,600. And the index of buckets learns each mail's conversation, so that a list of
 * conversations is made from indexes alone.
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

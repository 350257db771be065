/**
 * Extends server imports from files to mailboxes at other providers. One table for both, one import
 * at a time per user. The secret is a file's key, or the mailbox's credentials and the list of its
 * folders; it is sealed under the master key and deleted when the import ends.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table pst_imports rename to server_imports',
  'alter table server_imports rename constraint pst_imports_pkey to server_imports_pkey',
  'alter index pst_imports_one_at_a_time rename to server_imports_one_at_a_time',
  'alter table server_imports rename column key_sealed to secret_sealed',
  "alter table server_imports add column kind text not null default 'pst' check (kind in ('pst', 'imap'))",
  'alter table server_imports alter column kind drop default',
  'drop index pst_imports_waiting',
  `create index server_imports_waiting on server_imports (kind, created_at)
    where status in ('queued', 'running')`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

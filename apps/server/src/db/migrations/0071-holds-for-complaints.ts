/** Readers' complaints become a further reason to hold an account's mail. */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table send_holds drop constraint send_holds_reason_check',
  `alter table send_holds add constraint send_holds_reason_check
    check (reason in ('strangers', 'refusals', 'content', 'complaints'))`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

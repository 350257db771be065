/**
 * Indexes for the filters of the console's list of users, each in the order of the list. Most
 * accounts are active and free; users_by_age finds those.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create index if not exists users_suspended on users (created_at desc, id desc) where status = 'suspended'`,
  `create index if not exists users_paying on users (plan, created_at desc, id desc) where plan <> 'free'`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

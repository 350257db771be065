/**
 * Two held copies of one message, one sealed and one plain: each names its sibling, so that a
 * recall of one recalls both (docs/adr/0012-held-sends.md).
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = ['alter table held_sends add column twin_id uuid'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

/**
 * Two copies of one letter, a sealed and a plain one, that are held: each names the other, so that a recall of one takes
 * both back (docs/adr/0012-held-sends.md).
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = ['alter table held_sends add column twin_id uuid'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

/**
 * Which organisation stands by a complaint, so that one of them holds nobody's mail as easily as several do. Rows from before do
 * not say.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table complaints add column reporter bytea').execute(db);
}

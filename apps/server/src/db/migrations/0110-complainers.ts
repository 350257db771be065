/**
 * Which organizational domain is behind a complaint, so that a single one cannot hold a user's mail
 * as easily as several can. Earlier rows do not record it.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table complaints add column reporter bytea').execute(db);
}

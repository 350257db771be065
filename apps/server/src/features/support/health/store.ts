/** The cheapest query that proves the database responds. */
import { sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';

export async function askDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

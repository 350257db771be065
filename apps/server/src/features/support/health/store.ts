/**
 * The smallest question a database can answer.
 */
import { sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';

export async function askDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

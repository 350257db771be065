/**
 * Updates databases that were created with earlier forms of 0034 and 0037: triggers count row by
 * row instead of with transition tables, and each column has its own trigram index, because
 * YugabyteDB supports both. The sums are the same either way, so machines that run the previous
 * release continue to write.
 */
import { type Kysely, sql } from 'kysely';
import { COUNTING_STORAGE, WORDS } from './0034-statistics.ts';
import { COUNTING_ITEMS } from './0037-operations.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    ...COUNTING_STORAGE,
    ...COUNTING_ITEMS,
    ...WORDS,
    'drop index if exists users_by_words',
  ])
    await sql.raw(statement).execute(db);
}

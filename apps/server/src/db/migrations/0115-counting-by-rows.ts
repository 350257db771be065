/**
 * Brings databases that are older than the present form of 0034 and 0037 to it: triggers count row by row and not by the tables
 * of a statement's rows, and trigrams have an index a column, which YugabyteDB takes both. Sums are the same either way, so
 * that machines of the release before write on as they did.
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

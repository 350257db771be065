/**
 * Since when replaced keys have been scheduled for destruction: the owner has requested it and
 * proved the second factor, so that the many requests of the same process need not ask for it
 * again.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table retired_keys add column ending_since timestamptz`.execute(db);
}

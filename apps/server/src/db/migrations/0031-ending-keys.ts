/**
 * Since when keys that were replaced are on their way out: their owner has said so and proved the second factor, which many
 * requests for the same end then need not ask for again.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table retired_keys add column ending_since timestamptz`.execute(db);
}

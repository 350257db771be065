/**
 * Recovery codes that were shown and not confirmed work beside the confirmed ones. Codes made together share `shown_set`;
 * null means confirmed, which is what the release before writes.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table recovery_codes add column shown_set uuid').execute(db);
}

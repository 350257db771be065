/**
 * Recovery codes that were shown but not confirmed work beside the confirmed ones. Codes generated
 * together share `shown_set`; null means confirmed, which is what the previous release writes.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table recovery_codes add column shown_set uuid').execute(db);
}

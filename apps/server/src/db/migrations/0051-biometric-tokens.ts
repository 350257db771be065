/**
 * Devices that sign in with biometrics. Their tokens are stored beside those of browsers that stay
 * signed in, and are not replaced at each use.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table devices add column is_biometric boolean not null default false`.execute(db);
}

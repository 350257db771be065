/**
 * Devices that sign in after their biometrics were asked. Their tokens lie beside those of browsers that stay signed in and
 * are not replaced at each use.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table devices add column is_biometric boolean not null default false`.execute(db);
}

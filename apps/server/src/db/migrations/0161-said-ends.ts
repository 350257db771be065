/**
 * Keeps used share codes and sessions that were ended from elsewhere for a while, so that the
 * server can report that they ended. The previous release treats both as expired.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table share_codes add column kept_until timestamptz',
  'alter table sessions add column ended text',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

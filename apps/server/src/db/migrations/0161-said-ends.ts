/**
 * What ended is kept for a while to say so: share codes that were used, and sessions that ended elsewhere. The release before
 * takes both for expired.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table share_codes add column kept_until timestamptz',
  'alter table sessions add column ended text',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

/**
 * A used share code stays for a while, expired, so that it can say that it was used. The release before takes such a row for
 * an expired code.
 */
import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw('alter table share_codes add column kept_until timestamptz').execute(db);
};

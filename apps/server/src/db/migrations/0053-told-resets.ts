/**
 * Who began a reset of a member's password, and until when that person may make its link anew without another notice. Resets
 * from before name nobody: the next one is told of.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table organization_resets add column begun_by uuid, add column quiet_until timestamptz`.execute(
    db,
  );
}

/**
 * Who began a reset of a member's password, and until when that person may recreate its link
 * without another notice. Earlier resets name no initiator, so the next link sends a notice.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table organization_resets add column begun_by uuid, add column quiet_until timestamptz`.execute(
    db,
  );
}

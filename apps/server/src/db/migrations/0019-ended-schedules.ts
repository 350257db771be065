/**
 * Removes what clients stored for scheduled messages that have been sent or recalled: from now on,
 * the end of a held send deletes it (features/outbound/sending/hold.ts).
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `delete from records r
  where r.kind = 'setting' and r.id like 'bcc-%'
    and not exists (select 1 from held_sends h where h.user_id = r.user_id and r.id = 'bcc-' || h.mail_id)`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

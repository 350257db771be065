/**
 * Every record says under which keys it is sealed. Those from before keys could be replaced said nothing: they lie under the
 * keys in use, since whoever replaced keys had the older ones named.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'delete from records r where not exists (select 1 from users u where u.id = r.user_id)',
  `update records r set key_used = u.main_key->>'key_id' from users u where u.id = r.user_id and r.key_used is null`,
  'alter table records alter column key_used set not null',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

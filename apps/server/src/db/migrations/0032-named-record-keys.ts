/**
 * Every record names the keys it is sealed under. Records from before key replacement existed named
 * none; they are under the keys in use, because a key replacement names the older keys on existing
 * records.
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

/**
 * A push device remains while its session, another session of the same family, or the kept device
 * behind it lives. A token that ends before the session it began (because biometrics were turned
 * off) does not remove the push device.
 */
import { type Kysely, sql } from 'kysely';

const NOTHING_LEFT = `
    not exists (select 1 from sessions s where s.id = p.session_id)
    and not exists (select 1 from sessions s where s.user_id = p.user_id and s.family_id = p.family_id)
    and not exists (select 1 from devices d where d.family_id = p.family_id and d.replaced_at is null)`;

const STATEMENTS = [
  `create or replace function forget_push_of_session() returns trigger language plpgsql as $$
  begin
    delete from push_devices p
    where p.user_id = old.user_id and (p.session_id = old.id or p.family_id = old.family_id) and ${NOTHING_LEFT};
    return null;
  end $$`,
  `create or replace function forget_push_of_family() returns trigger language plpgsql as $$
  begin
    delete from push_devices p where p.family_id = old.family_id and ${NOTHING_LEFT};
    return null;
  end $$`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

/**
 * What was done to accounts and to the service by those who run it: who, what, whom, when. Never content.
 *
 * [Note: Names in the audit log] An entry names people by their id and nothing else, and a trigger takes the id out when
 * the account is deleted, together with the reason that was written about them: the entry stays, of somebody who is gone.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table audit_entries (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    actor_kind text not null check (actor_kind in ('admin', 'operator', 'billing')),
    actor_id uuid,
    action text not null,
    subject_id uuid,
    object text,
    details jsonb not null default '{}'
  )`,
  'create index audit_entries_by_actor on audit_entries (actor_id) where actor_id is not null',
  'create index audit_entries_by_subject on audit_entries (subject_id, id) where subject_id is not null',
  `create function forget_user_in_audit() returns trigger language plpgsql as $$
  begin
    update audit_entries set actor_id = null where actor_id = old.id;
    update audit_entries set subject_id = null, details = details - 'reason' where subject_id = old.id;
    return null;
  end $$`,
  `create trigger users_gone_from_audit after delete on users
    for each row execute function forget_user_in_audit()`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

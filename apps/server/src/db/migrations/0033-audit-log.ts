/**
 * Records what the operator's admins did to accounts and to the service: actor, action, subject and
 * time. Never content.
 *
 * [Note: Names in the audit log] An entry identifies people only by their ID. When an account is
 * deleted, a trigger removes the ID and the reason that was written about the user; the entry
 * remains, about a deleted account.
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

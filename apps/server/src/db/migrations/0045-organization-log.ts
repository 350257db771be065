/**
 * The audit log also records what members do in their organization, under the organization's ID.
 * That ID is never removed, because the entries of a deleted organization have no other reference
 * to it. See [Note: Names in the audit log].
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table audit_entries add column organization_id uuid',
  'alter table audit_entries drop constraint audit_entries_actor_kind_check',
  `alter table audit_entries add constraint audit_entries_actor_kind_check
    check (actor_kind in ('admin', 'operator', 'billing', 'member'))`,
  `alter table audit_entries add constraint audit_entries_of_members
    check ((actor_kind = 'member') = (organization_id is not null))`,
  `create index audit_entries_by_organization on audit_entries (organization_id, id)
    where organization_id is not null`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

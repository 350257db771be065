/**
 * What members do in their organisation stands in the audit log too, under the organisation's id, which is forgotten by
 * nobody: the entries of one that has ended name it by nothing else. See [Note: Names in the audit log].
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

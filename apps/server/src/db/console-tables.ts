/**
 * The tables behind the console of those who run the service, as Kysely types.
 */
import type { ColumnType, Generated } from 'kysely';

/** See [Note: Names in the audit log] in migrations/0033-audit-log.ts. */
export type AuditEntriesTable = {
  /** Grows with every entry. */
  id: Generated<number>;
  at: ColumnType<Date, Date | string, never>;
  actor_kind: 'admin' | 'operator' | 'billing' | 'member' | 'service';
  /** The admin, or the member of an organisation; null for the others, and once that account is gone. */
  actor_id: string | null;
  /** Of a member alone: the organisation, which may have ended. */
  organization_id: string | null;
  action: string;
  /** Whom it concerns; null where nobody is, and once that account is gone. */
  subject_id: string | null;
  object: string | null;
  details: ColumnType<Record<string, string>, string, string>;
};

/** See [Note: Counters without locks] in migrations/0034-statistics.ts. Triggers write most of it. */
type StatChangesTable = { kind: string; bucket: number; amount: number };
type StatTotalsTable = { kind: string; bucket: number; total: number };

export type ConsoleTables = {
  audit_entries: AuditEntriesTable;
  stat_changes: StatChangesTable;
  stat_totals: StatTotalsTable;
};

/** Kysely types of the tables behind the operator's console. */
import type { ColumnType, Generated } from 'kysely';

/** See [Note: Names in the audit log] in migrations/0033-audit-log.ts. */
export type AuditEntriesTable = {
  /** Increases with every entry. */
  id: Generated<number>;
  at: ColumnType<Date, Date | string, never>;
  actor_kind: 'admin' | 'operator' | 'billing' | 'member' | 'service';
  /**
   * The admin, or the member of an organization; null for all others, and once that account is
   * deleted.
   */
  actor_id: string | null;
  /** The organization, which may no longer exist; set only for a member's actions. */
  organization_id: string | null;
  action: string;
  /** The user the entry is about; null if there is none, and once that account is deleted. */
  subject_id: string | null;
  object: string | null;
  details: ColumnType<Record<string, string>, string, string>;
};

/**
 * See [Note: Counters without locks] in migrations/0034-statistics.ts. Triggers write most of it.
 */
type StatChangesTable = { kind: string; bucket: number; amount: number };
type StatTotalsTable = { kind: string; bucket: number; total: number };

export type ConsoleTables = {
  audit_entries: AuditEntriesTable;
  stat_changes: StatChangesTable;
  stat_totals: StatTotalsTable;
};

/**
 * The tables behind the console of those who run the service, as Kysely types.
 */
import type { ColumnType, Generated } from 'kysely';

/** See [Note: Names in the audit log] in migrations/0033-audit-log.ts. */
export type AuditEntriesTable = {
  /** Grows with every entry. */
  id: Generated<number>;
  at: ColumnType<Date, Date | string, never>;
  actor_kind: 'admin' | 'operator' | 'billing';
  /** The admin; null for the others, and once that account is gone. */
  actor_id: string | null;
  action: string;
  /** Whom it concerns; null where nobody is, and once that account is gone. */
  subject_id: string | null;
  object: string | null;
  details: ColumnType<Record<string, string>, string, string>;
};

export type ConsoleTables = {
  audit_entries: AuditEntriesTable;
};

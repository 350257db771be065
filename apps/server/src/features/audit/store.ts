/**
 * Statements on the audit log (db/migrations/0033-audit-log.ts).
 */

import type { AuditEntriesTable } from '../../db/console-tables.ts';
import type { Trx } from '../../db/pool.ts';

type NewRow = Pick<AuditEntriesTable, 'action' | 'actor_kind'> & {
  readonly at: Date;
  readonly actor_id: string | null;
  readonly subject_id: string | null;
  readonly object: string | null;
  readonly details: string;
};

export const insertEntry = async (trx: Trx, row: NewRow): Promise<void> => {
  await trx.insertInto('audit_entries').values(row).execute();
};

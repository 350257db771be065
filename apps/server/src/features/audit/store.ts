/**
 * Statements on the audit log (db/migrations/0033-audit-log.ts).
 */

import type { AuditEntriesTable } from '../../db/console-tables.ts';
import type { Db, Trx } from '../../db/pool.ts';

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

/** Entries older than one, newest first, with the addresses that people have now. */
export const readEntries = async (db: Db, before: number | undefined, count: number) => {
  const entries = db
    .selectFrom('audit_entries as e')
    .leftJoin('users as actor', 'actor.id', 'e.actor_id')
    .leftJoin('users as subject', 'subject.id', 'e.subject_id')
    .select([
      'e.id',
      'e.at',
      'e.actor_kind',
      'actor.email as actor_email',
      'e.action',
      'subject.email as subject_email',
      'e.object',
      'e.details',
    ])
    .orderBy('e.id', 'desc')
    .limit(count);
  return (before === undefined ? entries : entries.where('e.id', '<', before)).execute();
};

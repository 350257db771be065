/**
 * The audit log (api.md, Admin): every action of an admin, of the operator on the machine and of billing, written in the
 * transaction of the action itself, so that neither is there without the other. It holds ids and closed words, never
 * content of mail, subjects or keys.
 */

import type { AuditRecord } from '@keyfold/contract';
import type { AuditAction, Plan } from '@keyfold/contract/limits';
import type { Db, Trx } from '../../db/pool.ts';
import { insertEntry, readEntries } from './store.ts';

/** Who acted. The operator is whoever has the machine; billing acts on what the payment service reports. */
export type AuditActor =
  | { readonly kind: 'admin'; readonly userId: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'billing' };

export type AuditEntry = {
  readonly actor: AuditActor;
  readonly action: AuditAction;
  /** Whom it concerns; left out where no account is concerned. */
  readonly subjectId?: string;
  /** What else it was done to: an id of the queue, a domain, a job; never an address or a subject of mail. */
  readonly object?: string;
  readonly details?: {
    readonly level?: string;
    readonly plan?: Plan;
    readonly former_plan?: Plan;
    /** The admin's own words; they go when the account goes. */
    readonly reason?: string;
  };
  readonly at: Date;
};

/** Writes an entry; to be called in the transaction of what it tells of. */
export const writeAudit = (trx: Trx, entry: AuditEntry): Promise<void> => {
  const { actor, action, subjectId, object, details = {}, at } = entry;
  return insertEntry(trx, {
    at,
    actor_kind: actor.kind,
    actor_id: actor.kind === 'admin' ? actor.userId : null,
    action,
    subject_id: subjectId ?? null,
    object: object ?? null,
    details: JSON.stringify(details),
  });
};

/** A page of the log, newest first, after the entry of an id. */
export const readAudit = async (
  db: Db,
  { before, count }: { readonly before?: number | undefined; readonly count: number },
): Promise<{ readonly entries: AuditRecord[]; readonly has_more: boolean }> => {
  const rows = await readEntries(db, before, count + 1);
  return {
    entries: rows.slice(0, count).map(row => ({
      id: String(row.id),
      at: row.at.toISOString(),
      actor: { kind: row.actor_kind, email: row.actor_email },
      action: row.action as AuditAction,
      subject: row.subject_email,
      object: row.object,
      details: row.details,
    })),
    has_more: rows.length > count,
  };
};

/**
 * The audit log (api.md, Admin): every action of an admin, of the operator on the machine and of billing, written in the
 * transaction of the action itself, so that neither is there without the other. It holds ids and closed words, never
 * content of mail, subjects or keys.
 */
import type { AuditAction, Plan } from '@keyfold/contract/limits';
import type { Trx } from '../../db/pool.ts';
import { insertEntry } from './store.ts';

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

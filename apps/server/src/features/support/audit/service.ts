/**
 * The audit log (docs/api-conventions.md#admin): every action of an admin, of the operator on the machine, of billing and of
 * members in their organisation, written in the transaction of the action itself, so that neither is there without the other. It
 * holds ids and closed words, never content of mail, subjects or keys.
 */

import type { AuditRecord, OrganizationLogEntry } from '@keyfold/contract';
import type { OrganizationRole, Plan } from '@keyfold/contract/limits';
import type { AuditAction, OrganizationAction } from '@keyfold/contract/log-actions';
import type { Db, Trx } from '../../../db/pool.ts';
import { findLastAt, insertEntry, readEntries, readOrganizationEntries } from './store.ts';

/** Who acted. The operator is whoever has the machine; billing acts on what the payment service reports, the service on what it saw itself. */
export type AuditActor =
  | { readonly kind: 'admin'; readonly userId: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'billing' }
  | { readonly kind: 'service' }
  | { readonly kind: 'member'; readonly userId: string; readonly organizationId: string };

export type AuditEntry = {
  readonly actor: AuditActor;
  readonly action: AuditAction | OrganizationAction;
  /** Whom it concerns; left out where no account is concerned. */
  readonly subjectId?: string;
  /** What else it was done to: an id of the queue, a domain, a job; never an address or a subject of mail. */
  readonly object?: string;
  readonly details?: {
    readonly level?: string;
    readonly plan?: Plan;
    readonly former_plan?: Plan;
    readonly role?: OrganizationRole;
    readonly former_role?: OrganizationRole;
    /** The admin's own words; they go when the account goes. */
    readonly reason?: string;
  };
  readonly at: Date;
};

/** Writes an entry; to be called in the transaction of what it tells of. */
export function writeAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  const { actor, action, subjectId, object, details = {}, at } = entry;
  return insertEntry(trx, {
    at,
    actor_kind: actor.kind,
    actor_id: 'userId' in actor ? actor.userId : null,
    organization_id: 'organizationId' in actor ? actor.organizationId : null,
    action,
    subject_id: subjectId ?? null,
    object: object ?? null,
    details: JSON.stringify(details),
  });
}

/** When something was last done to an object; null when it never was, or no longer known. */
export const findLastEntryAt = (
  trx: Trx,
  action: AuditAction | OrganizationAction,
  object: string,
): Promise<Date | null> => findLastAt(trx, action, object);

type Page = { readonly before?: number | undefined; readonly count: number };

/** A page of what concerns the service, newest first, after the entry of an id. */
export async function readAudit(
  db: Db,
  { before, count }: Page,
): Promise<{ readonly entries: AuditRecord[]; readonly has_more: boolean }> {
  const rows = await readEntries(db, before, count + 1);
  return {
    entries: rows.slice(0, count).map(row => ({
      id: String(row.id),
      at: row.at.toISOString(),
      actor: { kind: row.actor_kind, email: row.actor_email },
      action: row.action as AuditAction,
      subject: row.subject_email,
      object: row.object,
      organization: row.organization,
      details: row.details,
    })),
    has_more: rows.length > count,
  };
}

/** A page of what was done in an organisation, newest first, after the entry of an id. */
export async function readOrganizationLog(
  db: Db,
  organizationId: string,
  { before, count }: Page,
): Promise<{ readonly entries: OrganizationLogEntry[]; readonly has_more: boolean }> {
  const rows = await readOrganizationEntries(db, organizationId, before, count + 1);
  return {
    entries: rows.slice(0, count).map(({ id, at, action, ...row }) => ({
      id: String(id),
      at: at.toISOString(),
      action: action as OrganizationAction,
      ...row,
    })),
    has_more: rows.length > count,
  };
}

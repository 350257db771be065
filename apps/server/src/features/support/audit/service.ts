/**
 * The audit log (docs/api-conventions.md#admin): every action of an admin, of the operator on the
 * machine, of billing and of members in their organization. An entry is written in the transaction
 * of the action itself, so neither exists without the other. Entries contain ids and fixed terms,
 * never mail content, subjects or keys.
 */

import type { AuditRecord, OrganizationLogEntry } from '@keyfold/contract';
import type { OrganizationRole } from '@keyfold/contract/limits';
import type { AuditAction, OrganizationAction } from '@keyfold/contract/log-actions';
import type { Plan } from '@keyfold/contract/plans';
import type { Db, Trx } from '../../../db/pool.ts';
import { findLastAt, insertEntry, readEntries, readOrganizationEntries } from './store.ts';

/**
 * The actor. The operator is anyone with access to the machine; billing acts on reports of the
 * payment service, and the service on its own observations.
 */
export type AuditActor =
  | { readonly kind: 'admin'; readonly userId: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'billing' }
  | { readonly kind: 'service' }
  | { readonly kind: 'member'; readonly userId: string; readonly organizationId: string };

export type AuditEntry = {
  readonly actor: AuditActor;
  readonly action: AuditAction | OrganizationAction;
  /** The account concerned; omitted when there is none. */
  readonly subjectId?: string;
  /**
   * The other object of the action: an id of the queue, a domain, a job; never an address or
   * subject of a message.
   */
  readonly object?: string;
  readonly details?: {
    readonly level?: string;
    readonly plan?: Plan;
    readonly former_plan?: Plan;
    readonly role?: OrganizationRole;
    readonly former_role?: OrganizationRole;
    /** The admin's own words; deleted with the account. */
    readonly reason?: string;
  };
  readonly at: Date;
};

/** Writes an entry; must be called in the transaction of the action it records. */
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

/**
 * Returns when an action was last applied to an object; null when it never was, or when that is no
 * longer known.
 */
export const findLastEntryAt = (
  trx: Trx,
  action: AuditAction | OrganizationAction,
  object: string,
): Promise<Date | null> => findLastAt(trx, action, object);

type Page = { readonly before?: number | undefined; readonly count: number };

/** Returns a page of entries that concern the service, newest first, after the entry with an id. */
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

/** Returns a page of an organization's entries, newest first, after the entry with an id. */
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

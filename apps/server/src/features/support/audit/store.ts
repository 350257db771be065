/**
 * Statements on the audit log (db/migrations/0033-audit-log.ts).
 */

import { AUDIT_ACTIONS } from '@keyfold/contract/log-actions';
import { sql } from 'kysely';
import type { AuditEntriesTable } from '../../../db/console-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';

type NewRow = Pick<AuditEntriesTable, 'action' | 'actor_kind'> & {
  readonly at: Date;
  readonly actor_id: string | null;
  readonly organization_id: string | null;
  readonly subject_id: string | null;
  readonly object: string | null;
  readonly details: string;
};

export async function insertEntry(trx: Trx, row: NewRow): Promise<void> {
  await trx.insertInto('audit_entries').values(row).execute();
}

/**
 * Returns when an action was last applied to an object; null when it never was, or when that is no
 * longer known.
 */
export async function findLastAt(db: Db, action: string, object: string): Promise<Date | null> {
  const { at } = await db
    .selectFrom('audit_entries')
    .select(eb => eb.fn.max('at').as('at'))
    .where('action', '=', action)
    .where('object', '=', object)
    .executeTakeFirstOrThrow();
  return at;
}

/** Returns the reason last given for suspending an account; null when none is known. */
export async function findSuspensionReason(db: Db | Trx, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('audit_entries')
    .select(sql<string | null>`details->>'reason'`.as('reason'))
    .where('subject_id', '=', userId)
    .where('action', '=', 'suspend_user')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.reason ?? null;
}

/**
 * Returns entries that concern the service, older than a given one, newest first, with people's
 * current addresses.
 */
export async function readEntries(db: Db, before: number | undefined, count: number) {
  const entries = db
    .selectFrom('audit_entries as e')
    .leftJoin('users as actor', 'actor.id', 'e.actor_id')
    .leftJoin('users as subject', 'subject.id', 'e.subject_id')
    .leftJoin('organizations as o', 'o.id', 'e.organization_id')
    .where('e.action', 'in', AUDIT_ACTIONS)
    .select([
      'e.id',
      'e.at',
      'e.actor_kind',
      'actor.email as actor_email',
      'e.action',
      'subject.email as subject_email',
      'e.object',
      'o.name as organization',
      'e.details',
    ])
    .orderBy('e.id', 'desc')
    .limit(count);
  return (before === undefined ? entries : entries.where('e.id', '<', before)).execute();
}

/**
 * Returns the same for one organization, with every entry, and invitations while they are open.
 * Members appear with their current address. Former members appear with the address that they
 * joined with, which they sign in by. Former members who joined in another way, such as the
 * founder, are not named, because the organization need not have known that address.
 */
export async function readOrganizationEntries(
  db: Db,
  organizationId: string,
  before: number | undefined,
  count: number,
) {
  const joiners = db
    .selectFrom('audit_entries')
    .select('actor_id')
    .where('organization_id', '=', organizationId)
    .where('action', '=', 'join_organization')
    .where('actor_id', 'is not', null);
  const entries = db
    .selectFrom('audit_entries as e')
    .leftJoin('users as actor', 'actor.id', 'e.actor_id')
    .leftJoin('users as subject', 'subject.id', 'e.subject_id')
    .leftJoin('organization_members as acting', join =>
      join
        .onRef('acting.user_id', '=', 'e.actor_id')
        .onRef('acting.organization_id', '=', 'e.organization_id'),
    )
    .leftJoin('organization_members as concerned', join =>
      join
        .onRef('concerned.user_id', '=', 'e.subject_id')
        .onRef('concerned.organization_id', '=', 'e.organization_id'),
    )
    .leftJoin('organization_invites as invited', 'invited.id', 'e.subject_id')
    .where('e.organization_id', '=', organizationId)
    .select(eb => [
      'e.id',
      'e.at',
      'e.action',
      'e.object',
      'e.details',
      eb
        .case()
        .when('acting.user_id', 'is not', null)
        .then(eb.ref('actor.email'))
        .when('e.actor_id', 'in', joiners)
        .then(eb.ref('actor.kdf_email'))
        .else(null)
        .end()
        .as('actor'),
      eb
        .case()
        .when('concerned.user_id', 'is not', null)
        .then(eb.ref('subject.email'))
        .when('e.subject_id', 'in', joiners)
        .then(eb.ref('subject.kdf_email'))
        .else(eb.ref('invited.address'))
        .end()
        .as('subject'),
    ])
    .orderBy('e.id', 'desc')
    .limit(count);
  return (before === undefined ? entries : entries.where('e.id', '<', before)).execute();
}

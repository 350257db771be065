/**
 * Statements on organization members, invitations and connected domains. Writers lock the
 * organization's row first, and only then accounts and mailboxes.
 */
import type { OrganizationRole } from '@keyfold/contract/limits';
import type { Plan } from '@keyfold/contract/plans';
import type { Db, Trx } from '../../../db/pool.ts';

export const findMember = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('organization_members')
    .select(['organization_id', 'role'])
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Locks an organization; returns undefined when it no longer exists. */
export const lockOrganization = (trx: Trx, id: string) =>
  trx.selectFrom('organizations').select(['id', 'name']).where('id', '=', id).forUpdate().executeTakeFirst();

export async function insertMember(
  trx: Trx,
  member: {
    readonly userId: string;
    readonly organizationId: string;
    readonly role: OrganizationRole;
    readonly now: Date;
  },
): Promise<void> {
  await trx
    .insertInto('organization_members')
    .values({
      user_id: member.userId,
      organization_id: member.organizationId,
      role: member.role,
      joined_at: member.now,
    })
    .execute();
}

/** Returns an open invitation with the name of the organization. */
export const findInvite = (db: Db | Trx, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('organization_invites as i')
    .innerJoin('organizations as o', 'o.id', 'i.organization_id')
    .select([
      'i.id',
      'i.organization_id',
      'i.address',
      'i.name',
      'i.role',
      'i.expires_at',
      'o.name as organization',
    ])
    .where('i.token_hash', '=', tokenHash)
    .where('i.expires_at', '>', now)
    .executeTakeFirst();

/** Returns whether an organization has an owner whose account is not suspended. */
export async function hasActiveOwner(trx: Trx, organizationId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('organization_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.user_id')
    .where('m.organization_id', '=', organizationId)
    .where('m.role', '=', 'owner')
    .where('u.status', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts a member who joined by invitation. The count never decreases. */
export async function countJoined(trx: Trx, organizationId: string): Promise<number> {
  const row = await trx
    .updateTable('organizations')
    .set(eb => ({ joined: eb('joined', '+', 1) }))
    .where('id', '=', organizationId)
    .returning('joined')
    .executeTakeFirst();
  return row?.joined ?? 0;
}

/** Consumes an invitation; returns false when another request consumed it first. */
export async function deleteInvite(trx: Trx, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('organization_invites').where('id', '=', id).executeTakeFirst();
  return Number(result.numDeletedRows) === 1;
}

/**
 * Revokes the password reset link of a user. Returns the organization that started the reset, and
 * its expiry.
 */
export const deleteReset = (trx: Trx, userId: string) =>
  trx
    .deleteFrom('organization_resets')
    .where('user_id', '=', userId)
    .returning(['organization_id', 'expires_at'])
    .executeTakeFirst();

/** Returns the organization that a domain is connected to, and the domain's holder. */
export const findConnection = (db: Db | Trx, domain: string) =>
  db
    .selectFrom('organization_domains')
    .select(['organization_id', 'user_id'])
    .where('domain', '=', domain)
    .executeTakeFirst();

export async function listMemberIds(db: Db | Trx, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('organization_members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .execute();
  return rows.map(row => row.user_id);
}

/** Returns the plans of an organization's owners who are not suspended. */
export async function listOwnerPlans(db: Db | Trx, organizationId: string): Promise<Plan[]> {
  const rows = await db
    .selectFrom('organization_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.plan')
    .where('m.organization_id', '=', organizationId)
    .where('m.role', '=', 'owner')
    .where('u.status', '=', 'active')
    .execute();
  return rows.map(row => row.plan);
}

/**
 * Returns the owners in a fixed order, so that their mailboxes are always locked in the same order.
 */
export async function listOwnerIds(trx: Trx, organizationId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('organization_members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .orderBy('user_id')
    .execute();
  return rows.map(row => row.user_id);
}

/** Returns the number of members per role. */
export async function countMembers(
  db: Db | Trx,
  organizationId: string,
): Promise<{ readonly all: number; readonly owners: number }> {
  const row = await db
    .selectFrom('organization_members')
    .select(eb => [
      eb.fn.countAll<string>().as('total'),
      eb.fn.countAll<string>().filterWhere('role', '=', 'owner').as('owners'),
    ])
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return { all: Number(row.total), owners: Number(row.owners) };
}

/** Returns the domains connected to an organization, of one holder or of all. */
export const listConnections = (db: Db | Trx, organizationId: string) =>
  db
    .selectFrom('organization_domains')
    .select(['domain', 'user_id', 'connected_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('connected_at')
    .orderBy('domain')
    .execute();

/** Deletes a connection and the open invitations to addresses at the domain. */
export async function deleteConnection(trx: Trx, domain: string): Promise<void> {
  await trx.deleteFrom('organization_domains').where('domain', '=', domain).execute();
  await trx
    .deleteFrom('organization_invites')
    .where('address', 'like', `%@${domain.replace(/[\\%_]/g, '\\$&')}`)
    .execute();
}

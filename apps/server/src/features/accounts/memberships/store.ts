/**
 * Statements on who belongs to which organisation, invitations and connected domains. Whoever changes one of them locks the
 * organisation's row first, and only then accounts and mailboxes.
 */
import type { OrganizationRole, Plan } from '@keyfold/contract/limits';
import type { Db, Trx } from '../../../db/pool.ts';

export const findMember = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('organization_members')
    .select(['organization_id', 'role'])
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Locks an organisation; undefined when it has ended. */
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

/** An open invitation with the organisation's name. */
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

/** Whether an organisation has an owner whose account is not suspended. */
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

/** Counts somebody who joined by invitation; the number never goes down. */
export async function countJoined(trx: Trx, organizationId: string): Promise<number> {
  const row = await trx
    .updateTable('organizations')
    .set(eb => ({ joined: eb('joined', '+', 1) }))
    .where('id', '=', organizationId)
    .returning('joined')
    .executeTakeFirst();
  return row?.joined ?? 0;
}

/** Uses an invitation up; false when somebody was faster. */
export async function deleteInvite(trx: Trx, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('organization_invites').where('id', '=', id).executeTakeFirst();
  return Number(result.numDeletedRows) === 1;
}

/** Takes the power from a link by which a user's password was to be reset; tells whose it was and how long it had it. */
export const deleteReset = (trx: Trx, userId: string) =>
  trx
    .deleteFrom('organization_resets')
    .where('user_id', '=', userId)
    .returning(['organization_id', 'expires_at'])
    .executeTakeFirst();

/** The organisation to which a domain is connected, and its holder. */
export const findConnection = (db: Db | Trx, domain: string) =>
  db
    .selectFrom('organization_domains')
    .select(['organization_id', 'user_id'])
    .where('domain', '=', domain)
    .executeTakeFirst();

/** Every member of an organisation. */
export async function listMemberIds(db: Db | Trx, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('organization_members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .execute();
  return rows.map(row => row.user_id);
}

/** The plans of an organisation's owners who are not suspended. */
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

/** The owners, in one order, so that their mailboxes are locked in it. */
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

/** How many have each role. */
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

/** Domains connected to an organisation, of one holder or of all. */
export const listConnections = (db: Db | Trx, organizationId: string) =>
  db
    .selectFrom('organization_domains')
    .select(['domain', 'user_id', 'connected_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('connected_at')
    .orderBy('domain')
    .execute();

/** Ends a connection, and with it what was promised at the domain. */
export async function deleteConnection(trx: Trx, domain: string): Promise<void> {
  await trx.deleteFrom('organization_domains').where('domain', '=', domain).execute();
  await trx
    .deleteFrom('organization_invites')
    .where('address', 'like', `%@${domain.replace(/[\\%_]/g, '\\$&')}`)
    .execute();
}

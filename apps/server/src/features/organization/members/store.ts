/**
 * SQL for organizations, their invitations, resets and domains. Memberships are in
 * features/accounts/memberships.
 */
import type { OrganizationRole } from '@keyfold/contract/limits';
import { type Insertable, sql } from 'kysely';
import type { OrganizationTables } from '../../../db/organization-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';

export async function insertOrganization(
  trx: Trx,
  row: Insertable<OrganizationTables['organizations']>,
): Promise<void> {
  await trx.insertInto('organizations').values(row).execute();
}

export const findOrganization = (db: Db | Trx, id: string) =>
  db
    .selectFrom('organizations')
    .select(['name', 'created_at', 'joined'])
    .where('id', '=', id)
    .executeTakeFirst();

export async function renameOrganization(trx: Trx, id: string, name: string): Promise<void> {
  await trx.updateTable('organizations').set({ name }).where('id', '=', id).execute();
}

/** Deletes the remaining rows of an organization. Its domains must already be disconnected. */
export async function deleteOrganization(trx: Trx, id: string): Promise<void> {
  for (const table of ['organization_invites', 'organization_resets', 'organization_members'] as const)
    await trx.deleteFrom(table).where('organization_id', '=', id).execute();
  await trx.deleteFrom('organizations').where('id', '=', id).execute();
}

/** Returns the members, owners first, including the fields that only owners and admins see. */
export const listMembers = (db: Db | Trx, organizationId: string) =>
  db
    .selectFrom('organization_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('organization_resets as r', 'r.user_id', 'm.user_id')
    .select([
      'm.user_id',
      'm.role',
      'm.joined_at',
      'u.name',
      'u.email',
      'u.status',
      'u.last_active_at',
      'r.expires_at as reset_until',
    ])
    .where('m.organization_id', '=', organizationId)
    .orderBy(eb => eb.case('m.role').when('owner').then(0).when('admin').then(1).else(2).end())
    .orderBy('u.name')
    .orderBy('u.email')
    .execute();

/** Returns the number of invitations that have not expired. */
export async function countOpenInvites(db: Db | Trx, organizationId: string, now: Date): Promise<number> {
  const row = await db
    .selectFrom('organization_invites')
    .select(eb => eb.fn.countAll<string>().as('total'))
    .where('organization_id', '=', organizationId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export async function setRole(trx: Trx, userId: string, role: OrganizationRole): Promise<void> {
  await trx.updateTable('organization_members').set({ role }).where('user_id', '=', userId).execute();
}

/**
 * Saves an organization's join count on its owner, so that it carries over to a later organization.
 * Does nothing for other roles.
 */
export async function carryJoined(trx: Trx, userId: string): Promise<void> {
  await sql`
    update users u set organization_joined = greatest(u.organization_joined, o.joined)
    from organization_members m join organizations o on o.id = m.organization_id
    where u.id = ${userId}::uuid and m.user_id = u.id and m.role = 'owner'`.execute(trx);
}

/** Returns the join count carried over from organizations that the user owned. */
export async function findCarried(trx: Trx, userId: string): Promise<number> {
  const row = await trx
    .selectFrom('users')
    .select('organization_joined')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.organization_joined ?? 0;
}

/** Removes a member and the member's pending reset. */
export async function deleteMember(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('organization_resets').where('user_id', '=', userId).execute();
  await trx.deleteFrom('organization_members').where('user_id', '=', userId).execute();
}

/** Returns all invitations of an organization, including expired ones. */
export const listInvites = (db: Db | Trx, organizationId: string) =>
  db
    .selectFrom('organization_invites')
    .select(['id', 'address', 'name', 'role', 'expires_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .execute();

/** Returns the invitation for an address, of any organization and even if expired. */
export const findInviteFor = (trx: Trx, address: string) =>
  trx
    .selectFrom('organization_invites')
    .select(['id', 'organization_id', 'role', 'expires_at'])
    .where('address', '=', address)
    .executeTakeFirst();

export async function insertInvite(
  trx: Trx,
  row: Insertable<OrganizationTables['organization_invites']>,
): Promise<void> {
  await trx.insertInto('organization_invites').values(row).execute();
}

export async function saveReset(
  trx: Trx,
  row: Insertable<OrganizationTables['organization_resets']>,
): Promise<void> {
  const { user_id, ...rest } = row;
  await trx
    .insertInto('organization_resets')
    .values({ user_id, ...rest })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(rest))
    .execute();
}

/**
 * Returns until when the same person may repeat a member's pending reset without sending notices,
 * or null when notices are required.
 */
export async function findQuiet(trx: Trx, userId: string, begunBy: string, now: Date): Promise<Date | null> {
  const row = await trx
    .selectFrom('organization_resets')
    .select('quiet_until')
    .where('user_id', '=', userId)
    .where('begun_by', '=', begunBy)
    .where('quiet_until', '>', now)
    .executeTakeFirst();
  return row?.quiet_until ?? null;
}

/** Returns a usable reset and its user. Resets of admins of the service are not usable. */
export const findReset = (db: Db | Trx, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('organization_resets as r')
    .innerJoin('organizations as o', 'o.id', 'r.organization_id')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select([
      'r.user_id',
      'r.organization_id',
      'r.expires_at',
      'o.name as organization',
      'u.email',
      'u.kdf_email',
    ])
    .where('r.token_hash', '=', tokenHash)
    .where('r.expires_at', '>', now)
    .where('u.is_admin', '=', false)
    .executeTakeFirst();

/** Consumes a reset. Returns false when another request was faster. */
export async function deleteReset(trx: Trx, tokenHash: Buffer): Promise<boolean> {
  const result = await trx
    .deleteFrom('organization_resets')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return Number(result.numDeletedRows) === 1;
}

/** Deletes data sealed under keys that no longer exist. Mail is kept. */
export async function forgetSealed(trx: Trx, userId: string): Promise<void> {
  for (const table of ['retired_keys', 'records'] as const)
    await trx.deleteFrom(table).where('user_id', '=', userId).execute();
}

export async function insertConnection(
  trx: Trx,
  row: Insertable<OrganizationTables['organization_domains']>,
): Promise<void> {
  await trx.insertInto('organization_domains').values(row).execute();
}

/** Returns the user's proved domains that are not connected to any organization. */
export async function listUnconnected(db: Db | Trx, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('domains as d')
    .leftJoin('organization_domains as c', 'c.domain', 'd.domain')
    .select('d.domain')
    .where('d.user_id', '=', userId)
    .where('d.verified_at', 'is not', null)
    .where('c.domain', 'is', null)
    .orderBy('d.domain')
    .execute();
  return rows.map(row => row.domain);
}

/** Locks a user's claim to a domain and returns the part that connecting needs. */
export const findClaim = (trx: Trx, userId: string, domain: string) =>
  trx
    .selectFrom('domains')
    .select('verified_at')
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .forUpdate()
    .executeTakeFirst();

/**
 * Returns the addresses of an organization's members at its connected domains, without those of
 * each domain's holder.
 */
export const listAddressesAtConnected = (db: Db | Trx, organizationId: string) =>
  db
    .selectFrom('organization_domains as c')
    .innerJoin('organization_members as m', 'm.organization_id', 'c.organization_id')
    .innerJoin('addresses as a', 'a.user_id', 'm.user_id')
    .select(['c.domain', 'a.address'])
    .where('c.organization_id', '=', organizationId)
    .whereRef('m.user_id', '<>', 'c.user_id')
    .where(eb =>
      eb(eb.fn<string>('split_part', ['a.address', eb.val('@'), eb.val(-1)]), '=', eb.ref('c.domain')),
    )
    .orderBy('a.address')
    .execute();

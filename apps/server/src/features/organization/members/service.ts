/**
 * The organization itself (docs/spec-map.md 7.72, 7.75, docs/interpretations.md#76, docs/adr/0030):
 * creating, showing, renaming and deleting it, and closing a member's account. Members, domains and
 * resets have their own files.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { Organization, OrganizationRight } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { OrganizationRole } from '@keyfold/contract/limits';
import type { Deps } from '../../../context/deps.ts';
import { isDuplicate, type Trx } from '../../../db/pool.ts';
import {
  acceptInvitation,
  countMembers,
  findMembership,
  insertMember,
  isAtConnection,
  lockMembership,
  type Membership,
  memberLimitOf,
} from '../../accounts/memberships/index.ts';
import { giveAddress } from '../addresses/index.ts';
import { tellOwnerGone, writeLog } from './log.ts';
import { countUsed, lockMembers, takeOut } from './members.ts';
import { getRight, lockRight, rightsOf } from './rights.ts';
import {
  countOpenInvites,
  deleteOrganization,
  findCarried,
  findOrganization,
  insertOrganization,
  renameOrganization,
} from './store.ts';

async function show(deps: Deps, { organizationId, role }: Membership): Promise<Organization> {
  const { db, clock } = deps;
  const found = await findOrganization(db, organizationId);
  if (found === undefined) throw new AppError('not_found');
  return {
    name: found.name,
    role,
    members: (await countMembers(db, organizationId)).all,
    invited: await countOpenInvites(db, organizationId, clock.now()),
    used: await countUsed(deps, db, organizationId),
    member_limit: await memberLimitOf(deps, db, organizationId),
    created_at: found.created_at.toISOString(),
  };
}

/** Returns the caller's role and its permissions. */
export async function getPermissions(
  { db }: Deps,
  userId: string,
): Promise<{ role: OrganizationRole | null; can: OrganizationRight[] }> {
  const role = (await findMembership(db, userId))?.role ?? null;
  return { role, can: [...rightsOf(role)] };
}

/** Throws not_found. */
export const getOrganization = async (deps: Deps, userId: string): Promise<Organization> =>
  show(deps, await getRight(deps.db, userId, 'view'));

/** Creates an organization owned by the caller. Throws organization_member. */
export async function createOrganization(deps: Deps, userId: string, name: string): Promise<Organization> {
  const organizationId = randomUUIDv7();
  const now = deps.clock.now();
  try {
    await deps.db.transaction().execute(async trx => {
      const joined = await findCarried(trx, userId);
      await insertOrganization(trx, { id: organizationId, name, created_at: now, joined });
      await insertMember(trx, { userId, organizationId, role: 'owner', now });
      await writeLog(deps, trx, userId, { organizationId }, { action: 'create_organization' });
    });
  } catch (cause) {
    if (isDuplicate(cause)) throw new AppError('organization_member', { cause });
    throw cause;
  }
  return show(deps, { organizationId, role: 'owner' });
}

/**
 * Joins an organization by invitation with an existing account, which receives the invited address
 * if that is at a connected domain. Checks the member limit as inviting does, because the plan may
 * have been downgraded since. Throws invite_refused, organization_member, member_limit_reached,
 * address_limit_reached, address_taken.
 */
export async function joinOrganization(deps: Deps, userId: string, secret: string): Promise<Organization> {
  try {
    const membership = await deps.db.transaction().execute(async trx => {
      const invited = await acceptInvitation(deps, trx, secret, deps.clock.now(), userId);
      const { address, organization_id: organizationId, role } = invited;
      if (await isAtConnection(trx, organizationId, address)) await giveAddress(trx, userId, address);
      return { organizationId, role };
    });
    return await show(deps, membership);
  } catch (cause) {
    // Two invitations were accepted concurrently: an account can be a member of only one
    // organization.
    if (isDuplicate(cause)) throw new AppError('organization_member', { cause });
    throw cause;
  }
}

/**
 * Renames the organization. Setting the current name is not logged. Throws not_found, forbidden.
 */
export async function changeName(deps: Deps, userId: string, name: string): Promise<Organization> {
  const membership = await deps.db.transaction().execute(async trx => {
    const own = await lockRight(trx, userId, 'rename');
    if ((await findOrganization(trx, own.organizationId))?.name !== name) {
      await renameOrganization(trx, own.organizationId, name);
      await writeLog(deps, trx, userId, own, { action: 'rename_organization' });
    }
    return own;
  });
  return show(deps, membership);
}

/** Dissolves a locked organization. All members leave it and keep their accounts and mail. */
async function dissolve(deps: Deps, trx: Trx, organizationId: string, byWhom: string): Promise<void> {
  const members = await lockMembers(trx, organizationId);
  for (const id of members) await takeOut(deps, trx, organizationId, members, id, id !== byWhom);
  await deleteOrganization(trx, organizationId);
  await writeLog(deps, trx, byWhom, { organizationId }, { action: 'end_organization' });
}

/** Deletes the organization. Throws not_found, forbidden. */
export const removeOrganization = (deps: Deps, userId: string): Promise<void> =>
  deps.db.transaction().execute(async trx => {
    const { organizationId } = await lockRight(trx, userId, 'delete');
    await dissolve(deps, trx, organizationId, userId);
  });

/**
 * Removes an account that is being closed from its organization, before anything else of the
 * account is locked. Deletes the organization if the account is its only member. Throws last_owner
 * when other members would be left without an owner.
 */
export async function leaveForGood(deps: Deps, trx: Trx, userId: string): Promise<void> {
  const own = await lockMembership(trx, userId);
  if (own === null) return;
  const { all, owners } = await countMembers(trx, own.organizationId);
  if (all === 1) return dissolve(deps, trx, own.organizationId, userId);
  if (own.role === 'owner' && owners === 1) throw new AppError('last_owner');
  const members = await lockMembers(trx, own.organizationId);
  await takeOut(deps, trx, own.organizationId, members, userId, false);
  await writeLog(deps, trx, userId, own, { action: 'leave_organization', subjectId: userId });
  if (own.role === 'owner') await tellOwnerGone(deps, trx, own, userId);
}

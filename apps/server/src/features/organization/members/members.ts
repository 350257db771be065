/**
 * Members of an organization: listing, inviting, roles, leaving and removal. Former members keep
 * their accounts and mail, but lose their addresses at the organization's domains.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { api, InputOf, OrganizationMember } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { EMAIL_MAX_CHARACTERS, type OrganizationRole } from '@keyfold/contract/limits';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { INVITE_LIFETIME_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { isDuplicate, type Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { isAddressUsed, isAllowedUsername, isUsernameShaped } from '../../accounts/auth/index.ts';
import {
  countMembers,
  createLinkSecret,
  findMembership,
  hashLinkSecret,
  listConnections,
  listMemberIds,
  type Membership,
  memberLimitOf,
  withdrawInvite,
} from '../../accounts/memberships/index.ts';
import { storeNotice } from '../../accounts/notices/index.ts';
import { signupDomainsOf } from '../../accounts/sign-up-codes/index.ts';
import { lockUser } from '../../accounts/users/index.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import { disconnectDomain, loseAddressesAt } from '../addresses/index.ts';
import { tellOwnerGone, tellRole, writeLog } from './log.ts';
import { getRight, lockRight, requireAbove, requireRight, rightsOf } from './rights.ts';
import {
  carryJoined,
  countOpenInvites,
  deleteMember,
  findInviteFor,
  findOrganization,
  insertInvite,
  listInvites,
  listMembers,
  setRole,
} from './store.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

type MemberRow = Awaited<ReturnType<typeof listMembers>>[number];

const toMember = (row: MemberRow, isForManagers: boolean): OrganizationMember => ({
  user_id: row.user_id,
  name: row.name,
  email: row.email,
  role: row.role,
  status: isForManagers ? row.status : 'active',
  joined_at: row.joined_at.toISOString(),
  last_active_at: isForManagers ? iso(row.last_active_at) : null,
  link_ends_at: isForManagers ? iso(row.reset_until) : null,
});

/**
 * Returns the members, followed by the invitations if the caller is an owner or admin. Throws
 * not_found.
 */
export async function listUsers({ db, clock }: Deps, userId: string): Promise<OrganizationMember[]> {
  const { organizationId, role } = await getRight(db, userId, 'view');
  const isManager = rightsOf(role).includes('invite');
  const members = (await listMembers(db, organizationId)).map(row => toMember(row, isManager));
  if (!isManager) return members;
  const now = clock.now();
  const invites = (await listInvites(db, organizationId)).map(invite => ({
    user_id: invite.id,
    name: invite.name,
    email: invite.address,
    role: invite.role,
    status: invite.expires_at > now ? ('invited' as const) : ('expired' as const),
    joined_at: null,
    last_active_at: null,
    link_ends_at: invite.expires_at.toISOString(),
  }));
  return [...members, ...invites];
}

/**
 * Returns the number that counts against the member limit: members plus open invitations. Where
 * sign-up needs an operator's invitation, everyone who ever joined counts, so that removing members
 * does not make capacity for new accounts.
 */
export async function countUsed(
  { config, clock }: Pick<Deps, 'clock' | 'config'>,
  db: Deps['db'] | Trx,
  organizationId: string,
): Promise<number> {
  const { all } = await countMembers(db, organizationId);
  const joined = (await findOrganization(db, organizationId))?.joined ?? 0;
  const people = config.isInvitationNeeded ? Math.max(all, joined + 1) : all;
  return people + (await countOpenInvites(db, organizationId, clock.now()));
}

/**
 * Returns the address of an invitation and whether it is at a connected domain. Throws
 * domain_refused, username_refused.
 */
async function addressFor(
  { config }: Pick<Deps, 'config'>,
  trx: Trx,
  { organizationId }: Membership,
  { username, domain }: { readonly username: string; readonly domain: string },
): Promise<{ readonly address: string; readonly isOwn: boolean }> {
  const address = normalizeAddress(`${username}@${domain}`);
  const at = address.lastIndexOf('@');
  const [name, place] = [address.slice(0, at), address.slice(at + 1)];
  const isOwn = (await listConnections(trx, organizationId)).some(one => one.domain === place);
  if (!isOwn && !signupDomainsOf(config).includes(place)) throw new AppError('domain_refused');
  // At a user's own domain, no name is reserved for the service.
  const isAllowed = isOwn ? isUsernameShaped(name) : isAllowedUsername(name);
  if (!isAllowed || address.length > EMAIL_MAX_CHARACTERS) throw new AppError('username_refused');
  return { address, isOwn };
}

/**
 * Withdraws an older invitation for an address if it belongs to this organization or has expired.
 * Returns the id of one that belongs to this organization, so that the invitee keeps it. Throws
 * address_taken, forbidden.
 */
async function replaceInvite(trx: Trx, own: Membership, address: string, now: Date): Promise<string | null> {
  const before = await findInviteFor(trx, address);
  if (before === undefined) return null;
  const isOurs = before.organization_id === own.organizationId;
  if (!isOurs && before.expires_at > now) throw new AppError('address_taken');
  if (isOurs) requireAbove(own.role, before.role);
  await withdrawInvite(trx, before.id);
  return isOurs ? before.id : null;
}

/**
 * Creates an invitation. Throws not_found, forbidden, domain_refused, username_refused,
 * address_taken, member_limit_reached.
 */
export const invite = (
  deps: Deps,
  userId: string,
  input: InputOf<typeof api.organization.invite>,
): Promise<{ user_id: string; invite: string; email: string; expires_at: string }> =>
  deps.db.transaction().execute(async trx => {
    const now = deps.clock.now();
    const own = await lockRight(trx, userId, 'invite');
    const { organizationId } = own;
    requireAbove(own.role, input.role);
    const { address, isOwn } = await addressFor(deps, trx, own, input);
    const formerId = await replaceInvite(trx, own, address, now);
    if (await isAddressUsed(trx, address, isOwn)) throw new AppError('address_taken');
    const used = await countUsed(deps, trx, organizationId);
    if (used >= (await memberLimitOf(deps, trx, organizationId))) throw new AppError('member_limit_reached');
    const secret = createLinkSecret();
    const id = formerId ?? randomUUIDv7();
    const expiresAt = new Date(now.getTime() + INVITE_LIFETIME_MS);
    try {
      await insertInvite(trx, {
        id,
        organization_id: organizationId,
        token_hash: hashLinkSecret('invite', secret),
        address,
        name: input.name,
        role: input.role,
        created_at: now,
        expires_at: expiresAt,
      });
    } catch (cause) {
      if (isDuplicate(cause)) throw new AppError('address_taken', { cause });
      throw cause;
    }
    await writeLog(deps, trx, userId, own, {
      action: 'invite_member',
      subjectId: id,
      details: { role: input.role },
    });
    return { user_id: id, invite: secret, email: address, expires_at: expiresAt.toISOString() };
  });

/** Returns a member of the same organization, or null for any other user. */
export async function findFellow(
  trx: Trx,
  own: Membership,
  userId: string,
): Promise<{ readonly userId: string; readonly role: OrganizationRole } | null> {
  if (!isUuid(userId)) return null;
  const membership = await findMembership(trx, userId);
  return membership?.organizationId === own.organizationId ? { userId, role: membership.role } : null;
}

/** Throws last_owner when the given member is the only owner. */
async function requireAnotherOwner(trx: Trx, { organizationId, role }: Membership): Promise<void> {
  if (role === 'owner' && (await countMembers(trx, organizationId)).owners < 2)
    throw new AppError('last_owner');
}

/**
 * Changes a role and notifies the member. Also notifies the other owners when an owner is added or
 * removed, because the remaining owners can reset a former owner's password. Throws not_found,
 * forbidden, last_owner.
 */
export const changeRole = (
  deps: Deps,
  userId: string,
  input: InputOf<typeof api.organization.set_role>,
): Promise<OrganizationMember> =>
  deps.db.transaction().execute(async trx => {
    const membership = await lockRight(trx, userId, 'view');
    // An owner who gives up the role but misses the response retries, and is no longer an owner by
    // then.
    const isOwnRole = input.user_id === userId && input.role === membership.role;
    const own = isOwnRole ? membership : requireRight(membership, 'set_roles');
    const fellow = await findFellow(trx, own, input.user_id);
    if (fellow === null) throw new AppError('not_found');
    if (input.role !== 'owner') await requireAnotherOwner(trx, { ...own, role: fellow.role });
    if (input.role !== 'owner') await carryJoined(trx, fellow.userId);
    await setRole(trx, fellow.userId, input.role);
    if (input.role !== fellow.role) {
      await writeLog(deps, trx, userId, own, {
        action: 'set_member_role',
        subjectId: fellow.userId,
        details: { role: input.role, former_role: fellow.role },
      });
      const change = { userId: fellow.userId, role: input.role, formerRole: fellow.role };
      await tellRole(deps, trx, own, userId, change);
    }
    const row = (await listMembers(trx, own.organizationId)).find(one => one.user_id === fellow.userId);
    if (row === undefined) throw new AppError('not_found');
    // A caller who gives up their own role gets a response for the new role, on the first request
    // as on a retry.
    const role = input.user_id === userId ? input.role : own.role;
    return toMember(row, rightsOf(role).includes('invite'));
  });

/**
 * Locks the accounts and mailboxes of a locked organization's members, accounts first, in the same
 * order as sign-in.
 */
export async function lockMembers(trx: Trx, organizationId: string): Promise<string[]> {
  const members = (await listMemberIds(trx, organizationId)).sort();
  for (const id of members) await lockUser(trx, id);
  await lockMailboxes(trx, members);
  return members;
}

/**
 * Removes a user from a locked organization: disconnects the user's own domains and deletes the
 * user's addresses at other members' domains. `members` is the result of lockMembers.
 */
export async function takeOut(
  deps: Deps,
  trx: Trx,
  organizationId: string,
  members: readonly string[],
  userId: string,
  isToldOf: boolean,
): Promise<void> {
  for (const { domain, user_id } of await listConnections(trx, organizationId)) {
    if (user_id === userId) {
      const others = members.filter(id => id !== userId);
      await disconnectDomain(deps, trx, others, domain);
    } else await loseAddressesAt(deps, trx, userId, domain);
  }
  await carryJoined(trx, userId);
  await deleteMember(trx, userId);
  if (isToldOf) await storeNotice(deps, trx, userId, { kind: 'organization_left' });
}

/**
 * Removes a member, withdraws an invitation, or lets the caller leave. Throws not_found, forbidden,
 * last_owner.
 */
export const removeUser = (deps: Deps, userId: string, given: string): Promise<void> =>
  deps.db.transaction().execute(async trx => {
    const isOneself = given === userId;
    const own = await lockRight(trx, userId, isOneself ? 'leave' : 'remove_users');
    const { organizationId } = own;
    const fellow = await findFellow(trx, own, given);
    if (fellow !== null) {
      if (isOneself) await requireAnotherOwner(trx, own);
      else requireAbove(own.role, fellow.role);
      const members = await lockMembers(trx, organizationId);
      await writeLog(deps, trx, userId, own, {
        action: isOneself ? 'leave_organization' : 'remove_member',
        subjectId: fellow.userId,
      });
      await takeOut(deps, trx, organizationId, members, fellow.userId, true);
      if (fellow.role === 'owner') await tellOwnerGone(deps, trx, own, userId);
      return;
    }
    const found = (await listInvites(trx, organizationId)).find(({ id }) => id === given);
    if (found === undefined) throw new AppError('not_found');
    requireAbove(own.role, found.role);
    await withdrawInvite(trx, found.id);
    await writeLog(deps, trx, userId, own, { action: 'withdraw_invite', subjectId: found.id });
  });

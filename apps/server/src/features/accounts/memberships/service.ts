/**
 * Organization membership as lower-level features need it: sign-up by invitation, addresses at
 * connected domains, removal of a domain. The rules of an organization belong to
 * features/organization/members.
 */

import { AppError } from '@keyfold/contract/errors';
import type { OrganizationRole } from '@keyfold/contract/limits';
import { domainOf } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import { writeAudit } from '../../support/audit/index.ts';
import { storeNotice } from '../notices/index.ts';
import { memberLimitOf } from './limit.ts';
import { hashLinkSecret } from './link-secrets.ts';
import {
  countJoined,
  countMembers,
  deleteInvite,
  deleteReset,
  findConnection,
  findInvite,
  findMember,
  hasActiveOwner,
  insertMember,
  listConnections,
  listMemberIds,
  listOwnerIds,
  lockOrganization,
} from './store.ts';

export type Membership = { readonly organizationId: string; readonly role: OrganizationRole };

/** Returns the organization that a user belongs to, or null. */
export async function findMembership(db: Db | Trx, userId: string): Promise<Membership | null> {
  const row = await findMember(db, userId);
  return row === undefined ? null : { organizationId: row.organization_id, role: row.role };
}

/**
 * Like findMembership, but locks the organization, so that no role or membership changes meanwhile.
 * Throws already_in_progress.
 */
export async function lockMembership(trx: Trx, userId: string): Promise<Membership | null> {
  const before = await findMembership(trx, userId);
  if (before === null) return null;
  await lockOrganization(trx, before.organizationId);
  const after = await findMembership(trx, userId);
  // A user who left one organization and created another in between must retry.
  if (after !== null && after.organizationId !== before.organizationId)
    throw new AppError('already_in_progress');
  return after;
}

/**
 * Ends a pending password reset that an organization started, since the member has just shown that
 * they don't need it. Logs it, because the reset may have been started against the member's will.
 */
export async function endReset({ clock }: Pick<Deps, 'clock'>, trx: Trx, userId: string): Promise<void> {
  const ended = await deleteReset(trx, userId);
  const at = clock.now();
  if (ended === undefined || ended.expires_at <= at) return;
  const actor = { kind: 'member', userId, organizationId: ended.organization_id } as const;
  await writeAudit(trx, { actor, action: 'end_reset', subjectId: userId, at });
}

export type Invitation = NonNullable<Awaited<ReturnType<typeof findInvite>>>;

/** Returns the invitation of a secret. Throws invite_refused. */
export async function getInvitation(db: Db | Trx, secret: string, now: Date): Promise<Invitation> {
  const found = await findInvite(db, hashLinkSecret('invite', secret), now);
  if (found === undefined) throw new AppError('invite_refused');
  return found;
}

/** Throws member_limit_reached when the plan was downgraded after the invitation. */
async function requirePlace(
  { config }: Pick<Deps, 'config'>,
  trx: Trx,
  organizationId: string,
  joined: number,
): Promise<void> {
  const { all } = await countMembers(trx, organizationId);
  // Where sign-up requires an invitation from the operator, everyone who ever joined counts, as it
  // does for sending invitations.
  const people = config.isInvitationNeeded ? Math.max(all, joined + 1) : all;
  if (people > (await memberLimitOf({ config }, trx, organizationId)))
    throw new AppError('member_limit_reached');
}

/**
 * Consumes an invitation and makes the account `userId` a member. Without `userId`, the member is
 * the account about to be created, whose address needs the membership. Other owners get a notice
 * about a new owner. Throws invite_refused, member_limit_reached, and organization_member for an
 * account that is already in an organization.
 */
export async function acceptInvitation(
  deps: Deps,
  trx: Trx,
  secret: string,
  now: Date,
  userId?: string,
): Promise<Invitation> {
  const { organization_id: organizationId } = await getInvitation(trx, secret, now);
  await lockOrganization(trx, organizationId);
  // Only the state read under the lock counts.
  const invitation = await getInvitation(trx, secret, now);
  if (!(await hasActiveOwner(trx, organizationId))) throw new AppError('invite_refused');
  const memberId = userId ?? invitation.id;
  if ((await findMember(trx, memberId)) !== undefined) throw new AppError('organization_member');
  if (!(await deleteInvite(trx, invitation.id))) throw new AppError('invite_refused');
  const told = invitation.role === 'owner' ? await listOwnerIds(trx, organizationId) : [];
  // Locked in one call, so that the global lock order is kept.
  await lockMailboxes(trx, userId === undefined ? told : [...told, userId]);
  // Counts only accounts that an invitation created; an existing account costs the party that pays
  // for sign-ups nothing.
  const joined = userId === undefined ? await countJoined(trx, organizationId) : 0;
  await insertMember(trx, { userId: memberId, organizationId, role: invitation.role, now });
  await requirePlace(deps, trx, organizationId, joined);
  for (const id of told) await storeNotice(deps, trx, id, { kind: 'owners_changed' });
  await writeAudit(trx, {
    actor: { kind: 'member', userId: memberId, organizationId },
    action: 'join_organization',
    subjectId: memberId,
    details: { role: invitation.role },
    at: now,
  });
  return invitation;
}

/** Returns whether an address is at a domain connected to this organization. */
export async function isAtConnection(
  db: Db | Trx,
  organizationId: string,
  address: string,
): Promise<boolean> {
  const connection = await findConnection(db, domainOf(address));
  return connection?.organization_id === organizationId;
}

/**
 * Returns the connected domains at which a user may create addresses, which requires the role of
 * owner or admin.
 */
export async function listGivenDomains(db: Db | Trx, userId: string): Promise<string[]> {
  const membership = await findMembership(db, userId);
  if (membership === null || membership.role === 'member') return [];
  return (await listConnections(db, membership.organizationId)).map(({ domain }) => domain);
}

/** Returns the user who connected a domain, or null. */
export const findConnector = async (db: Db | Trx, domain: string): Promise<string | null> =>
  (await findConnection(db, domain))?.user_id ?? null;

/** Returns whether a domain is connected to an organization. */
export const isConnected = async (db: Db | Trx, domain: string): Promise<boolean> =>
  (await findConnection(db, domain)) !== undefined;

/**
 * Locks the organization of a connected domain and returns the members, other than its holder, who
 * may have addresses there. Returns none for other domains. Call it before mailboxes are locked.
 */
export async function lockMembersAt(trx: Trx, domain: string): Promise<string[]> {
  const before = await findConnection(trx, domain);
  if (before === undefined) return [];
  await lockOrganization(trx, before.organization_id);
  const connection = await findConnection(trx, domain);
  if (connection === undefined) return [];
  if (connection.organization_id !== before.organization_id) throw new AppError('already_in_progress');
  const members = await listMemberIds(trx, connection.organization_id);
  return members.filter(id => id !== connection.user_id);
}

/**
 * Who belongs to which organisation, as features beneath it need to know: sign-up by invitation, addresses at connected
 * domains, the end of a domain. The rules of an organisation are features/organization/members's.
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

/** The organisation that somebody belongs to; null for none. */
export async function findMembership(db: Db | Trx, userId: string): Promise<Membership | null> {
  const row = await findMember(db, userId);
  return row === undefined ? null : { organizationId: row.organization_id, role: row.role };
}

/** The same with the organisation locked: nobody's role or membership changes meanwhile. Throws already_in_progress. */
export async function lockMembership(trx: Trx, userId: string): Promise<Membership | null> {
  const before = await findMembership(trx, userId);
  if (before === null) return null;
  await lockOrganization(trx, before.organizationId);
  const after = await findMembership(trx, userId);
  // Whoever left one and made another in that moment asks again.
  if (after !== null && after.organizationId !== before.organizationId)
    throw new AppError('already_in_progress');
  return after;
}

/**
 * Ends a reset that an organisation began, if there is one, since the member has just shown that they need none. The log says
 * so: it may have been begun against their will.
 */
export async function endReset({ clock }: Pick<Deps, 'clock'>, trx: Trx, userId: string): Promise<void> {
  const ended = await deleteReset(trx, userId);
  const at = clock.now();
  if (ended === undefined || ended.expires_at <= at) return;
  const actor = { kind: 'member', userId, organizationId: ended.organization_id } as const;
  await writeAudit(trx, { actor, action: 'end_reset', subjectId: userId, at });
}

export type Invitation = NonNullable<Awaited<ReturnType<typeof findInvite>>>;

/** What an invitation is for. Throws invite_refused. */
export async function getInvitation(db: Db | Trx, secret: string, now: Date): Promise<Invitation> {
  const found = await findInvite(db, hashLinkSecret('invite', secret), now);
  if (found === undefined) throw new AppError('invite_refused');
  return found;
}

/** Throws member_limit_reached when the plan has become a smaller one since the invitation. */
async function requirePlace(
  { config }: Pick<Deps, 'config'>,
  trx: Trx,
  organizationId: string,
  joined: number,
): Promise<void> {
  const { all } = await countMembers(trx, organizationId);
  // Where accounts need an invitation of the operator's, all who ever joined count, as for inviting.
  const people = config.isInvitationNeeded ? Math.max(all, joined + 1) : all;
  if (people > (await memberLimitOf({ config }, trx, organizationId)))
    throw new AppError('member_limit_reached');
}

/**
 * Uses an invitation up and makes a member of the account `userId`, or without one of the account that is about to be made: its
 * address needs the membership. The other owners get a notice of a new owner. Throws invite_refused, member_limit_reached, and
 * organization_member for an account that is in an organization.
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
  // What it says counts as it stands under the lock.
  const invitation = await getInvitation(trx, secret, now);
  if (!(await hasActiveOwner(trx, organizationId))) throw new AppError('invite_refused');
  const memberId = userId ?? invitation.id;
  if ((await findMember(trx, memberId)) !== undefined) throw new AppError('organization_member');
  if (!(await deleteInvite(trx, invitation.id))) throw new AppError('invite_refused');
  const told = invitation.role === 'owner' ? await listOwnerIds(trx, organizationId) : [];
  // Together, so that they are taken in the order that holds for all.
  await lockMailboxes(trx, userId === undefined ? told : [...told, userId]);
  // Counts accounts that an invitation made; one that exists already takes nothing from who pays for sign-ups.
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

/** Whether an address is at a domain that is connected to this organization. */
export async function isAtConnection(
  db: Db | Trx,
  organizationId: string,
  address: string,
): Promise<boolean> {
  const connection = await findConnection(db, domainOf(address));
  return connection?.organization_id === organizationId;
}

/** Connected domains at which somebody may make addresses: owners and admins may. */
export async function listGivenDomains(db: Db | Trx, userId: string): Promise<string[]> {
  const membership = await findMembership(db, userId);
  if (membership === null || membership.role === 'member') return [];
  return (await listConnections(db, membership.organizationId)).map(({ domain }) => domain);
}

/** Who connected a domain; null for nobody. */
export const findConnector = async (db: Db | Trx, domain: string): Promise<string | null> =>
  (await findConnection(db, domain))?.user_id ?? null;

/** Whether a domain is connected to an organisation. */
export const isConnected = async (db: Db | Trx, domain: string): Promise<boolean> =>
  (await findConnection(db, domain)) !== undefined;

/**
 * Who may have addresses at a connected domain beside its holder, with the organisation locked; nobody at others. To be
 * called before mailboxes are locked.
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

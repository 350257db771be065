/**
 * Permissions of each role in an organization (docs/spec-map.md 6.10 names roles and no rights;
 * docs/adr/0030), and the permission check at the start of every call. Objects of other
 * organizations yield 404, as they do for users who are in no organization.
 */
import type { OrganizationRight } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { ORGANIZATION_ROLES, type OrganizationRole } from '@keyfold/contract/limits';
import type { Db, Trx } from '../../../db/pool.ts';
import { findMembership, lockMembership, type Membership } from '../../accounts/memberships/index.ts';

const MEMBER = ['view', 'leave'] as const;
const ADMIN = [
  ...MEMBER,
  'rename',
  'invite',
  'remove_users',
  'reset_password',
  'connect_domains',
  'view_log',
] as const;
const OWNER = [...ADMIN, 'set_roles', 'delete'] as const;

const RIGHTS: Readonly<Record<OrganizationRole, readonly OrganizationRight[]>> = {
  member: MEMBER,
  admin: ADMIN,
  owner: OWNER,
};

/** Returns the rights of a role. A user who is in no organization can create one. */
export const rightsOf = (role: OrganizationRole | null): readonly OrganizationRight[] =>
  role === null ? ['create'] : RIGHTS[role];

/** Returns the membership if it grants the right. Throws not_found, forbidden. */
export function requireRight(membership: Membership | null, right: OrganizationRight): Membership {
  if (membership === null) throw new AppError('not_found');
  if (!rightsOf(membership.role).includes(right)) throw new AppError('forbidden');
  return membership;
}

/** Returns the caller's membership if it grants the right. Throws not_found, forbidden. */
export const getRight = async (db: Db | Trx, userId: string, right: OrganizationRight): Promise<Membership> =>
  requireRight(await findMembership(db, userId), right);

/** Like getRight, but locks the organization. Also throws already_in_progress. */
export const lockRight = async (trx: Trx, userId: string, right: OrganizationRight): Promise<Membership> =>
  requireRight(await lockMembership(trx, userId), right);

const isAbove = (own: OrganizationRole, other: OrganizationRole): boolean =>
  ORGANIZATION_ROLES.indexOf(own) > ORGANIZATION_ROLES.indexOf(other);

/**
 * Owners may manage anyone. Admins may manage only members, not other admins or owners. Throws
 * forbidden.
 */
export function requireAbove(own: OrganizationRole, other: OrganizationRole): void {
  if (own !== 'owner' && !isAbove(own, other)) throw new AppError('forbidden');
}

/**
 * Requires a strictly higher role. A reset opens an account, so even an owner may not reset another
 * owner. Throws forbidden.
 */
export function requireStrictlyAbove(own: OrganizationRole, other: OrganizationRole): void {
  if (!isAbove(own, other)) throw new AppError('forbidden');
}

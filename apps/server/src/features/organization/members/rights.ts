/**
 * Which role can do what in an organisation (docs/spec-map.md 6.10 names roles and no rights; docs/adr/0030), and the look that
 * every call begins with. What is another organisation's is not there: 404, as for who is in none.
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

/** What somebody can do: who is in no organisation can make one. */
export const rightsOf = (role: OrganizationRole | null): readonly OrganizationRight[] =>
  role === null ? ['create'] : RIGHTS[role];

/** The membership, if it allows this. Throws not_found, forbidden. */
export function requireRight(membership: Membership | null, right: OrganizationRight): Membership {
  if (membership === null) throw new AppError('not_found');
  if (!rightsOf(membership.role).includes(right)) throw new AppError('forbidden');
  return membership;
}

/** The caller's membership, if it allows this. Throws not_found, forbidden. */
export const getRight = async (db: Db | Trx, userId: string, right: OrganizationRight): Promise<Membership> =>
  requireRight(await findMembership(db, userId), right);

/** The same with the organisation locked. Throws also already_in_progress. */
export const lockRight = async (trx: Trx, userId: string, right: OrganizationRight): Promise<Membership> =>
  requireRight(await lockMembership(trx, userId), right);

const isAbove = (own: OrganizationRole, other: OrganizationRole): boolean =>
  ORGANIZATION_ROLES.indexOf(own) > ORGANIZATION_ROLES.indexOf(other);

/** Owners deal with everybody, admins with members: nobody with who is as high, or higher. Throws forbidden. */
export function requireAbove(own: OrganizationRole, other: OrganizationRole): void {
  if (own !== 'owner' && !isAbove(own, other)) throw new AppError('forbidden');
}

/** A reset opens an account: an owner makes none for another owner either. Throws forbidden. */
export function requireStrictlyAbove(own: OrganizationRole, other: OrganizationRole): void {
  if (!isAbove(own, other)) throw new AppError('forbidden');
}

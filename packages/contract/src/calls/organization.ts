/**
 * Organizations (docs/spec-map.md 6, 7, docs/api-conventions.md#organization;
 * docs/interpretations.md#76): the organization, its members and invitations, roles, resets, and
 * connected domains. The server decides what each role may do and reports it in `permissions`.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { domainName, id, plainText, wholeNumber } from '../core/fields.ts';
import {
  AUDIT_PAGE_MAX,
  NAME_MAX_CHARACTERS,
  ORGANIZATION_NAME_MAX_CHARACTERS,
  ORGANIZATION_ROLES,
  USERNAME_MAX_CHARACTERS,
} from '../core/limits.ts';
import { ORGANIZATION_ACTIONS } from '../core/log-actions.ts';
import { rowsOf } from '../core/rows.ts';
import { linkSecret } from './joining.ts';

const role = z.enum(ORGANIZATION_ROLES);
const name = plainText(ORGANIZATION_NAME_MAX_CHARACTERS).min(1);

/**
 * Actions that a user may be allowed in an organization; `create` is for users who belong to none.
 */
export const ORGANIZATION_RIGHTS = [
  'create',
  'view',
  'leave',
  'rename',
  'invite',
  'remove_users',
  'reset_password',
  'connect_domains',
  'view_log',
  'set_roles',
  'delete',
] as const;
export type OrganizationRight = (typeof ORGANIZATION_RIGHTS)[number];

const organization = z.object({
  name: z.string(),
  /** Role of the caller. */
  role,
  /** Number of members; open invitations are counted separately. */
  members: z.number(),
  invited: z.number(),
  /**
   * Number of places taken: members plus open invitations; where accounts require an invitation,
   * everyone who ever joined.
   */
  used: z.number(),
  /** Maximum number of places, from the best plan of the organization's owners. */
  member_limit: z.number(),
  created_at: z.iso.datetime(),
});
export type Organization = z.infer<typeof organization>;

const member = z.object({
  /** For an invitation: the id that the account will have. */
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  /** expired: an invitation whose link no longer works. */
  status: z.enum(['active', 'suspended', 'invited', 'expired']),
  /** Null for an invitation. */
  joined_at: z.iso.datetime().nullable(),
  /** Null when unknown or not visible to the caller. */
  last_active_at: z.iso.datetime().nullable(),
  /** When the link of an invitation or reset expires; null without one. */
  link_ends_at: z.iso.datetime().nullable(),
});
export type OrganizationMember = z.infer<typeof member>;

const connectedDomain = z.object({
  domain: z.string(),
  /** Member whose ownership of the domain was verified. */
  holder: z.string(),
  is_own: z.boolean(),
  /** Addresses of other members at the domain, which are removed when it is disconnected. */
  addresses: z.array(z.string()),
});
export type ConnectedDomain = z.infer<typeof connectedDomain>;

const logEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /**
   * Member who acted, by current address; for a former member, the address they joined with. Null
   * once the account is deleted, and for former members who did not join by invitation.
   */
  actor: z.string().nullable(),
  action: z.enum(ORGANIZATION_ACTIONS),
  /**
   * Member affected, identified in the same way, or the address of an open invitation. Also null
   * when the entry affects no member.
   */
  subject: z.string().nullable(),
  /** Domain affected. */
  object: z.string().nullable(),
  /** `role` and `former_role`. */
  details: z.record(z.string(), z.string()),
});
export type OrganizationLogEntry = z.infer<typeof logEntry>;

export const organizationCalls = {
  create: defineCall({
    method: 'POST',
    path: '/user/organization/create',
    access: 'user',
    about: 'Creates an organization owned by the caller; 409 if the caller already belongs to one.',
    input: z.object({ name }),
    output: dataOf(organization),
  }),
  get: defineCall({
    method: 'GET',
    path: '/user/organization',
    access: 'user',
    about: 'The organization of the caller; 404 without one.',
    input: z.object({}),
    output: dataOf(organization),
  }),
  update: defineCall({
    method: 'PUT',
    path: '/user/organization',
    access: 'user',
    about: 'Renames the organization. For owners and admins.',
    input: z.object({ name }),
    output: dataOf(organization),
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/user/organization',
    access: 'user',
    about:
      'Deletes the organization. Members keep their accounts and mail. Addresses at connected domains are deleted, except those of the domain owner. For owners.',
    input: z.object({}),
    output: nothing,
  }),
  invite: defineCall({
    method: 'POST',
    path: '/user/organization/users',
    access: 'user',
    about:
      'Creates an invitation. The invited person creates an account with their own keys using the single-use secret `invite`. A second invitation for the same address replaces the first.',
    input: z.object({
      name: plainText(NAME_MAX_CHARACTERS).min(1),
      username: z.string().trim().min(1).max(USERNAME_MAX_CHARACTERS),
      domain: domainName,
      role: role.default('member'),
    }),
    output: dataOf(
      z.object({ user_id: z.string(), invite: z.string(), email: z.string(), expires_at: z.iso.datetime() }),
    ),
  }),
  join: defineCall({
    method: 'POST',
    path: '/user/organization/join',
    access: 'user',
    about:
      'Accepts an invitation with the account of the caller, which receives the address of the invitation if it is at a connected domain. 404 as for invitation; 409 for members of an organization.',
    input: z.object({ invite: linkSecret }),
    output: dataOf(organization),
  }),
  members: defineCall({
    method: 'GET',
    path: '/user/organization/users',
    access: 'user',
    about: 'The members of the organization. Only owners and admins see invitations and last use.',
    input: z.object({}),
    output: dataOf(rowsOf(member)),
  }),
  remove_member: defineCall({
    method: 'DELETE',
    path: '/user/organization/users',
    access: 'user',
    about:
      'Removes a member, withdraws an invitation, or leaves the organization. The account keeps its mail, but loses its addresses at connected domains.',
    input: z.object({ user_id: id }),
    inQuery: ['user_id'],
    output: nothing,
  }),
  set_role: defineCall({
    method: 'PUT',
    path: '/user/organization/users/role',
    access: 'user',
    about:
      'Changes a role. An organization always keeps at least one owner. For owners. Other members get 403, except when they name the role they already have.',
    input: z.object({ user_id: id, role }),
    output: dataOf(member),
    isRepeatable: true,
  }),
  reset_password: defineCall({
    method: 'POST',
    path: '/user/organization/users/reset-password',
    access: 'user',
    about:
      'Ends the sessions of a member and creates a link for setting a new password with new keys. Earlier mail stays encrypted with the old keys, which no one at this service can open.',
    input: z.object({ user_id: id }),
    output: dataOf(z.object({ reset: z.string(), expires_at: z.iso.datetime() })),
  }),
  connect: defineCall({
    method: 'POST',
    path: '/user/organization/domains/connect',
    access: 'user',
    about:
      'Connects a verified domain of the caller, so that members can have addresses there. For owners and admins.',
    input: z.object({ domain: domainName }),
    output: dataOf(connectedDomain),
  }),
  disconnect: defineCall({
    method: 'POST',
    path: '/user/organization/domains/disconnect',
    access: 'user',
    about: 'Disconnects a domain. Only its owner keeps addresses there. For owners and admins.',
    input: z.object({ domain: domainName }),
    output: nothing,
  }),
  available: defineCall({
    method: 'GET',
    path: '/user/organization/domains/available',
    access: 'user',
    about: 'Verified domains of the caller that are not connected. For owners and admins.',
    input: z.object({}),
    output: dataOf(rowsOf(z.object({ domain: z.string() }))),
  }),
  connected: defineCall({
    method: 'GET',
    path: '/user/organization/domains/connected',
    access: 'user',
    about: 'The connected domains, at which members can have addresses.',
    input: z.object({}),
    output: dataOf(rowsOf(connectedDomain)),
  }),
  log: defineCall({
    method: 'GET',
    path: '/user/organization/log',
    access: 'user',
    about:
      'The log of the organization, newest first. `before` continues after the entry with that ID. For owners and admins.',
    input: z.object({
      before: wholeNumber(1, 1e15).optional(),
      count: wholeNumber(1, AUDIT_PAGE_MAX).default(AUDIT_PAGE_MAX),
    }),
    output: dataOf(z.object({ entries: rowsOf(logEntry), has_more: z.boolean() })),
  }),
  permissions: defineCall({
    method: 'GET',
    path: '/user/organization/permissions',
    access: 'user',
    about: 'The role of the caller (null without an organization) and the permitted actions.',
    input: z.object({}),
    output: dataOf(z.object({ role: role.nullable(), can: z.array(z.enum(ORGANIZATION_RIGHTS)) })),
  }),
} as const;

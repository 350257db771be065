/**
 * Organisations (docs/spec-map.md 6, 7, docs/api-conventions.md#organization; docs/interpretations.md#76): the organisation, its
 * members and invitations, roles, resets, and the domains that are connected to it. Whose role allows what is the server's rule;
 * `permissions` tells it.
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

/** What somebody can do in an organisation; `create` is for who is in none. */
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
  /** The caller's. */
  role,
  /** How many belong to it; open invitations are counted beside them. */
  members: z.number(),
  invited: z.number(),
  /** How many places are taken: both together, and where accounts need an invitation all who ever joined. */
  used: z.number(),
  /** Most of them, by the best plan of its owners. */
  member_limit: z.number(),
  created_at: z.iso.datetime(),
});
export type Organization = z.infer<typeof organization>;

const member = z.object({
  /** Of an invitation: the id that the account will have. */
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  /** expired: an invitation whose link is good for nothing any more. */
  status: z.enum(['active', 'suspended', 'invited', 'expired']),
  /** Null of an invitation. */
  joined_at: z.iso.datetime().nullable(),
  /** Null when it is not known, or not for the caller to see. */
  last_active_at: z.iso.datetime().nullable(),
  /** When the link of an invitation, or of a reset, ends; null without one. */
  link_ends_at: z.iso.datetime().nullable(),
});
export type OrganizationMember = z.infer<typeof member>;

const connectedDomain = z.object({
  domain: z.string(),
  /** Whose claim to it was proved. */
  holder: z.string(),
  is_own: z.boolean(),
  /** Addresses of other members at it, which end with the connection. */
  addresses: z.array(z.string()),
});
export type ConnectedDomain = z.infer<typeof connectedDomain>;

const logEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /**
   * Who did it, by the address of now, and of who has left by the one they joined with; null once the account is gone, and of
   * who left without having joined by an invitation.
   */
  actor: z.string().nullable(),
  action: z.enum(ORGANIZATION_ACTIONS),
  /** To whom, in the same way, an open invitation's address too; null also where nobody is concerned. */
  subject: z.string().nullable(),
  /** A domain. */
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
    about: 'Makes an organisation whose owner the caller is; 409 for who is in one already.',
    input: z.object({ name }),
    output: dataOf(organization),
  }),
  get: defineCall({
    method: 'GET',
    path: '/user/organization',
    access: 'user',
    about: 'The organisation of the caller; 404 for who is in none.',
    input: z.object({}),
    output: dataOf(organization),
  }),
  update: defineCall({
    method: 'PUT',
    path: '/user/organization',
    access: 'user',
    about: 'Renames the organisation. For owners and admins.',
    input: z.object({ name }),
    output: dataOf(organization),
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/user/organization',
    access: 'user',
    about:
      'Ends the organisation. Accounts stay with their mail; addresses at connected domains end for all but their holder. For owners.',
    input: z.object({}),
    output: nothing,
  }),
  invite: defineCall({
    method: 'POST',
    path: '/user/organization/users',
    access: 'user',
    about:
      'Invites somebody, who makes an account with keys of their own by the secret `invite`; it works once. A second one for the same address takes the place of the first.',
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
      'Uses an invitation up with the account of the caller, which gets the address of the invitation where it is at a connected domain. 404 as for invitation; 409 for members of an organization.',
    input: z.object({ invite: linkSecret }),
    output: dataOf(organization),
  }),
  members: defineCall({
    method: 'GET',
    path: '/user/organization/users',
    access: 'user',
    about: 'Who belongs to the organisation; invitations and last use are for owners and admins.',
    input: z.object({}),
    output: dataOf(rowsOf(member)),
  }),
  remove_member: defineCall({
    method: 'DELETE',
    path: '/user/organization/users',
    access: 'user',
    about:
      'Takes somebody out of the organisation, withdraws an invitation, or leaves. The account stays with its mail, without its addresses at connected domains.',
    input: z.object({ user_id: id }),
    inQuery: ['user_id'],
    output: nothing,
  }),
  set_role: defineCall({
    method: 'PUT',
    path: '/user/organization/users/role',
    access: 'user',
    about:
      'Changes a role; an organisation keeps one owner at least. For owners; others hear only of their own role, where they name it.',
    input: z.object({ user_id: id, role }),
    output: dataOf(member),
    isRepeatable: true,
  }),
  reset_password: defineCall({
    method: 'POST',
    path: '/user/organization/users/reset-password',
    access: 'user',
    about:
      'Ends a member’s sessions and makes a link by which they set a new password with new keys. Mail from before stays sealed for the old keys, which nobody here can open.',
    input: z.object({ user_id: id }),
    output: dataOf(z.object({ reset: z.string(), expires_at: z.iso.datetime() })),
  }),
  connect: defineCall({
    method: 'POST',
    path: '/user/organization/domains/connect',
    access: 'user',
    about: 'Lets members have addresses at a proved domain of the caller’s. For owners and admins.',
    input: z.object({ domain: domainName }),
    output: dataOf(connectedDomain),
  }),
  disconnect: defineCall({
    method: 'POST',
    path: '/user/organization/domains/disconnect',
    access: 'user',
    about: 'Ends that; addresses at the domain stay with its holder alone. For owners and admins.',
    input: z.object({ domain: domainName }),
    output: nothing,
  }),
  available: defineCall({
    method: 'GET',
    path: '/user/organization/domains/available',
    access: 'user',
    about: 'Proved domains of the caller that are not connected. For owners and admins.',
    input: z.object({}),
    output: dataOf(rowsOf(z.object({ domain: z.string() }))),
  }),
  connected: defineCall({
    method: 'GET',
    path: '/user/organization/domains/connected',
    access: 'user',
    about: 'The domains at which members have addresses.',
    input: z.object({}),
    output: dataOf(rowsOf(connectedDomain)),
  }),
  log: defineCall({
    method: 'GET',
    path: '/user/organization/log',
    access: 'user',
    about:
      'What was done in the organisation, newest first; `before` continues after the entry of that id. For owners and admins.',
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
    about: 'The caller’s role, null for who is in no organisation, and what one can do.',
    input: z.object({}),
    output: dataOf(z.object({ role: role.nullable(), can: z.array(z.enum(ORGANIZATION_RIGHTS)) })),
  }),
} as const;

/**
 * Actions that the logs record: the service's audit log, which its admins read, and an
 * organization's log. Separate from limits.ts, which every page of the client loads.
 */

/** Organization actions that create or open accounts; the service's admins see them too. */
export const ORGANIZATION_ACCOUNT_ACTIONS = [
  'create_organization',
  'end_organization',
  'invite_member',
  'join_organization',
  'set_member_role',
  'begin_reset',
  'use_reset',
  'end_reset',
] as const;
/** All actions recorded in an organization's log. */
export const ORGANIZATION_ACTIONS = [
  ...ORGANIZATION_ACCOUNT_ACTIONS,
  'rename_organization',
  'withdraw_invite',
  'remove_member',
  'leave_organization',
  'connect_domain',
  'disconnect_domain',
] as const;
export type OrganizationAction = (typeof ORGANIZATION_ACTIONS)[number];

/** Actions that the audit log shows to the service's admins (docs/api-conventions.md#admin). */
export const AUDIT_ACTIONS = [
  'grant_admin',
  'revoke_admin',
  'suspend_user',
  'unsuspend_user',
  'set_plan',
  'reset_second_factor',
  'create_invitation',
  'remove_invitation',
  'create_affiliate',
  'remove_affiliate',
  'deliver_mail_now',
  'drop_mail',
  'renew_certificate',
  'hold_mail',
  'release_mail',
  'lose_forward',
  'limit_forwards',
  ...ORGANIZATION_ACCOUNT_ACTIONS,
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * What the logs can tell of: that of the service, which its admins read, and that of an organisation. Apart from the limits,
 * which every page of the client loads.
 */

/** What is done in an organisation that makes accounts or opens them: admins of the service see it too. */
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
/** All that the log of an organisation can tell of. */
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

/** What the audit log shows the admins of the service (docs/api-conventions.md#admin). */
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
  'hold_mail',
  'release_mail',
  'lose_forward',
  'limit_forwards',
  ...ORGANIZATION_ACCOUNT_ACTIONS,
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

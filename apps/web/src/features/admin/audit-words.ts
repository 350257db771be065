// Texts for the entries of the audit log.
import type { AuditRecord } from '@keyfold/contract';
import { ADMIN_LEVELS, type AdminLevel, ORGANIZATION_ROLES } from '@keyfold/contract/limits';
import type { AuditAction } from '@keyfold/contract/log-actions';
import { t, term } from '../../lib/language.ts';
import { roleWord } from '../organization/words.ts';
import { planName } from './PlanShares.tsx';

const actions: Readonly<Record<AuditAction, string>> = {
  grant_admin: term('Granted admin role'),
  revoke_admin: term('Revoked admin role'),
  suspend_user: term('Suspended account'),
  unsuspend_user: term('Unsuspended account'),
  set_plan: term('Changed plan'),
  reset_second_factor: term('Reset two-factor authentication'),
  create_affiliate: term('Created affiliate code'),
  remove_affiliate: term('Deleted affiliate code'),
  create_invitation: term('Created invitation'),
  remove_invitation: term('Deleted invitation'),
  deliver_mail_now: term('Started delivery of queued mail'),
  drop_mail: term('Dropped mail from the queue'),
  renew_certificate: term('Ordered a certificate'),
  hold_mail: term('Held outgoing mail'),
  release_mail: term('Released held mail'),
  lose_forward: term('Couldn’t forward role mail'),
  limit_forwards: term('Reached the limit for forwarding role mail'),
  create_organization: term('Created an organization'),
  end_organization: term('Deleted an organization'),
  invite_member: term('Invited a member'),
  join_organization: term('Joined with an invitation'),
  set_member_role: term('Changed a role'),
  begin_reset: term('Started a password reset'),
  use_reset: term('Completed a password reset'),
  end_reset: term('Canceled a password reset by using their own password or keys'),
};

const details: Readonly<Record<string, string>> = {
  level: term('Admin level'),
  plan: term('Plan'),
  former_plan: term('Previous plan'),
  reason: term('Reason'),
  role: term('Role'),
  former_role: term('Previous role'),
};

const levels: Readonly<Record<AdminLevel, string>> = {
  readonly: term('readonly'),
  standard: term('standard'),
  super: term('super'),
};

/** Returns the display name of an admin level; in English, its identifier. */
export const levelWord = (level: AdminLevel): string => t(levels[level]);

/** Returns the words for the value of a detail, which is user data unless it names one of a few. */
function detailWord(name: string, value: string): string {
  const level = ADMIN_LEVELS.find(one => one === value);
  const role = ORGANIZATION_ROLES.find(one => one === value);
  if (name === 'level' && level !== undefined) return levelWord(level);
  if (/^(?:former_)?role$/.test(name) && role !== undefined) return roleWord(role);
  return /^(?:former_)?plan$/.test(name) ? planName(value) : value;
}

/** Reasons why an account's mail is held. */
const holds: Readonly<Record<string, string>> = {
  strangers: term('Unusually many first-time recipients'),
  refusals: term('Many recipients rejected by their servers'),
  content: term('Content that looks like spam'),
  complaints: term('Spam complaints from recipients'),
};

/** Returns the text for the reason of a hold. */
export const holdWord = (reason: string): string => t(holds[reason] ?? reason);

/** Whose quota for forwarded role mail was used up. */
const shares: Readonly<Record<string, string>> = {
  site: term('For a single network'),
  all: term('For all networks combined'),
};

/** Objects that are fixed terms rather than user data, by action. */
const objects: Partial<Readonly<Record<AuditAction, Readonly<Record<string, string>>>>> = {
  hold_mail: holds,
  limit_forwards: shares,
};

/** Returns the text for an action. */
export const actionWord = (action: AuditAction): string => t(actions[action] ?? action);

/** Returns the text for the actor. */
export function actorWord({ kind, email }: AuditRecord['actor']): string {
  if (kind === 'operator') return t('Operator (on the server)');
  if (kind === 'billing') return t('Billing');
  if (kind === 'service') return t('The service');
  return email ?? t('Deleted account');
}

function objectWord(action: AuditAction, object: string): string {
  const word = objects[action]?.[object];
  return word === undefined ? object : t(word);
}

/** Returns the details of an entry: the object, and small facts with their names. */
export const detailLines = (entry: AuditRecord): string[] => [
  ...(entry.object === null ? [] : [objectWord(entry.action, entry.object)]),
  ...(entry.organization === null
    ? []
    : [t('{what}: {why}', { what: t('Organization'), why: entry.organization })]),
  ...Object.entries(entry.details).map(([name, value]) =>
    t('{what}: {why}', { what: t(details[name] ?? name), why: detailWord(name, value) }),
  ),
];

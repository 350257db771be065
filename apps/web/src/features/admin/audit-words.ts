// What an entry of the audit log says, in words.
import type { AuditRecord } from '@keyfold/contract';
import type { AuditAction } from '@keyfold/contract/log-actions';
import { t, term } from '../../lib/language.ts';

const actions: Readonly<Record<AuditAction, string>> = {
  grant_admin: term('Granted admin role'),
  revoke_admin: term('Revoked admin role'),
  suspend_user: term('Suspended account'),
  unsuspend_user: term('Unsuspended account'),
  set_plan: term('Set plan'),
  reset_second_factor: term('Reset second factor'),
  create_affiliate: term('Created affiliate code'),
  remove_affiliate: term('Removed affiliate code'),
  create_invitation: term('Created invitation'),
  remove_invitation: term('Removed invitation'),
  deliver_mail_now: term('Delivered mail now'),
  drop_mail: term('Dropped mail from the queue'),
  hold_mail: term('Held mail to the outside'),
  release_mail: term('Let held mail go on'),
  lose_forward: term('Could not send role mail on'),
  limit_forwards: term('More role mail came than is sent on'),
  create_organization: term('Made an organisation'),
  end_organization: term('Deleted an organisation'),
  invite_member: term('Invited a member'),
  join_organization: term('Joined by an invitation'),
  set_member_role: term('Changed a role'),
  begin_reset: term('Began to reset a password'),
  use_reset: term('Set a new password by a reset'),
  end_reset: term('Ended a reset with their own password or keys'),
};

const details: Readonly<Record<string, string>> = {
  level: term('Admin level'),
  plan: term('Plan'),
  former_plan: term('Plan before'),
  reason: term('Reason'),
  role: term('Role'),
  former_role: term('Role before'),
};

/** Why mail of an account is held. */
const holds: Readonly<Record<string, string>> = {
  strangers: term('Many recipients who were never written to'),
  refusals: term('Many recipients were refused'),
  content: term('Text that looks like spam'),
  complaints: term('Readers complained of it'),
};

/** Why mail of an account is held, in words. */
export const holdWord = (reason: string): string => t(holds[reason] ?? reason);

/** Whose share of the role mail that is sent on was used up. */
const shares: Readonly<Record<string, string>> = {
  site: term('From one network'),
  all: term('From all networks together'),
};

/** Objects that are words of the program, by what was done. */
const objects: Partial<Readonly<Record<AuditAction, Readonly<Record<string, string>>>>> = {
  hold_mail: holds,
  limit_forwards: shares,
};

/** What was done. */
export const actionWord = (action: AuditAction): string => t(actions[action] ?? action);

/** Who did it. */
export function actorWord({ kind, email }: AuditRecord['actor']): string {
  if (kind === 'operator') return t('Operator, on the server');
  if (kind === 'billing') return t('Billing');
  if (kind === 'service') return t('The service itself');
  return email ?? t('A deleted account');
}

function objectWord(action: AuditAction, object: string): string {
  const word = objects[action]?.[object];
  return word === undefined ? object : t(word);
}

/** What belongs to it: the object, and small facts with their names. */
export const detailLines = (entry: AuditRecord): string[] => [
  ...(entry.object === null ? [] : [objectWord(entry.action, entry.object)]),
  ...(entry.organization === null
    ? []
    : [t('{what}: {why}', { what: t('Organisation'), why: entry.organization })]),
  ...Object.entries(entry.details).map(([name, value]) =>
    t('{what}: {why}', { what: t(details[name] ?? name), why: value }),
  ),
];

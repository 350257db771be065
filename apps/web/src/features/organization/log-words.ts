// Text of an entry of an organization's log.
import type { OrganizationLogEntry } from '@keyfold/contract';
import { ORGANIZATION_ROLES } from '@keyfold/contract/limits';
import type { OrganizationAction } from '@keyfold/contract/log-actions';
import { t, term } from '../../lib/language.ts';
import type { LogLine } from '../../ui/LogList.tsx';
import { roleWord } from './words.ts';

const deeds: Readonly<Record<OrganizationAction, string>> = {
  create_organization: term('Created an organization'),
  end_organization: term('Deleted an organization'),
  rename_organization: term('Renamed the organization'),
  invite_member: term('Invited a member'),
  withdraw_invite: term('Withdrew an invitation'),
  join_organization: term('Joined with an invitation'),
  remove_member: term('Removed a member'),
  leave_organization: term('Left the organization'),
  set_member_role: term('Changed a role'),
  begin_reset: term('Started a password reset'),
  use_reset: term('Completed a password reset'),
  end_reset: term('Canceled a password reset by using their own password or keys'),
  connect_domain: term('Connected a domain'),
  disconnect_domain: term('Disconnected a domain'),
};

function roleLine(name: string, value: string | undefined): string[] {
  const role = ORGANIZATION_ROLES.find(one => one === value);
  return role === undefined ? [] : [t('{what}: {why}', { what: name, why: roleWord(role) })];
}

/**
 * Returns the line of an entry. When actor and target are the same person, the name appears once.
 */
export const logLine = ({
  id,
  at,
  actor,
  action,
  subject,
  object,
  details,
}: OrganizationLogEntry): LogLine => ({
  id,
  at,
  deed: t(deeds[action]),
  by: actor ?? t('Former member'),
  subject: subject === actor ? null : subject,
  lines: [
    ...(object === null ? [] : [object]),
    ...roleLine(t('Role'), details.role),
    ...roleLine(t('Previous role'), details.former_role),
  ],
});

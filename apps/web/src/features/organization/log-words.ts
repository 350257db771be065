// What an entry of an organisation's log says, in words.
import type { OrganizationLogEntry } from '@keyfold/contract';
import { ORGANIZATION_ROLES } from '@keyfold/contract/limits';
import type { OrganizationAction } from '@keyfold/contract/log-actions';
import { t, term } from '../../lib/language.ts';
import type { LogLine } from '../../ui/LogList.tsx';
import { roleWord } from './words.ts';

const deeds: Readonly<Record<OrganizationAction, string>> = {
  create_organization: term('Made an organisation'),
  end_organization: term('Deleted an organisation'),
  rename_organization: term('Renamed the organisation'),
  invite_member: term('Invited a member'),
  withdraw_invite: term('Withdrew an invitation'),
  join_organization: term('Joined by an invitation'),
  remove_member: term('Removed a member'),
  leave_organization: term('Left the organisation'),
  set_member_role: term('Changed a role'),
  begin_reset: term('Began to reset a password'),
  use_reset: term('Set a new password by a reset'),
  end_reset: term('Ended a reset with their own password or keys'),
  connect_domain: term('Connected a domain'),
  disconnect_domain: term('Disconnected a domain'),
};

function roleLine(name: string, value: string | undefined): string[] {
  const role = ORGANIZATION_ROLES.find(one => one === value);
  return role === undefined ? [] : [t('{what}: {why}', { what: name, why: roleWord(role) })];
}

/** An entry as it is shown; who did something to themselves stands there once. */
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
  by: actor ?? t('A former member'),
  subject: subject === actor ? null : subject,
  lines: [
    ...(object === null ? [] : [object]),
    ...roleLine(t('Role'), details.role),
    ...roleLine(t('Role before'), details.former_role),
  ],
});

// Names of member roles and states in the user's language.
import type { OrganizationMember } from '@keyfold/contract';
import type { OrganizationRole } from '@keyfold/contract/limits';
import { formatDay } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';

/** Returns the display name of a role. */
export const roleWord = (role: OrganizationRole): string =>
  role === 'owner' ? t('Owner') : role === 'admin' ? t('Admin') : t('Member');

/** Returns the roles to choose from, lowest first, each with its permissions. */
export const roleOptions = (): { value: OrganizationRole; label: string }[] =>
  (['member', 'admin', 'owner'] as const).map(value => ({ value, label: roleWord(value) }));

/** Returns one sentence about what a role allows. */
export const roleHint = (role: OrganizationRole): string =>
  role === 'owner'
    ? t('Owners manage everyone, assign roles and can delete the organization.')
    : role === 'admin'
      ? t('Admins invite and remove members, reset their passwords and connect domains.')
      : t('Members can see who else is in the organization.');

/**
 * Returns the line under a member's name: the join date, the last use, or how long an invitation
 * link is valid.
 */
export function memberLine(member: OrganizationMember): string {
  const { status, last_active_at: seen, link_ends_at: until } = member;
  const day = (iso: string) => formatDay(new Date(iso));
  if (status === 'invited' && until !== null)
    return t('Invited. The link is valid until {day}.', { day: day(until) });
  if (status === 'expired') return t('The invitation has expired.');
  if (until !== null) return t('Password reset started. The link is valid until {day}.', { day: day(until) });
  return seen === null ? '' : t('Last active {day}', { day: day(seen) });
}

// Roles and states of members in the reader's language.
import type { OrganizationMember } from '@keyfold/contract';
import type { OrganizationRole } from '@keyfold/contract/limits';
import { formatDay } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';

/** A role as it is shown. */
export const roleWord = (role: OrganizationRole): string =>
  role === 'owner' ? t('Owner') : role === 'admin' ? t('Admin') : t('Member');

/** Roles to choose from, the weakest first, with what each can do. */
export const roleOptions = (): { value: OrganizationRole; label: string }[] =>
  (['member', 'admin', 'owner'] as const).map(value => ({ value, label: roleWord(value) }));

/** What a role allows, in one sentence. */
export const roleHint = (role: OrganizationRole): string =>
  role === 'owner'
    ? t('Owners manage everybody, give roles, and can delete the organisation.')
    : role === 'admin'
      ? t('Admins invite, remove and reset members, and connect domains.')
      : t('Members see who else belongs to the organisation.');

/** The line under a member's name: since when, last use, or how long a link is good. */
export function memberLine(member: OrganizationMember): string {
  const { status, last_active_at: seen, link_ends_at: until } = member;
  const day = (iso: string) => formatDay(new Date(iso));
  if (status === 'invited' && until !== null)
    return t('Invited. The link is good until {day}.', { day: day(until) });
  if (status === 'expired') return t('The invitation has expired.');
  if (until !== null) return t('Reset begun. The link is good until {day}.', { day: day(until) });
  return seen === null ? '' : t('Last seen {day}', { day: day(seen) });
}

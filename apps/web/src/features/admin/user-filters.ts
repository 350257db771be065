// The filters of the list of users (Spec §3 Filter state, §5, §9). They look at the loaded page alone, as the count line
// says; the search also goes to the server.
import type { AdminUser } from '@keyfold/contract';
import { percentOf } from '../../lib/sizes.ts';

export type UserFilters = {
  readonly status: 'all' | 'active' | 'suspended';
  readonly plan: 'all' | 'free' | 'plus' | 'pro';
  readonly adminStatus: 'all' | 'admin' | 'user';
  readonly storageLevel: 'all' | 'high' | 'medium' | 'low';
};

export const noFilters: UserFilters = { status: 'all', plan: 'all', adminStatus: 'all', storageLevel: 'all' };

/** What the console measures everybody's storage by, whatever the plan (Spec §9): bytes. */
export const shownQuotaBytes = 5_368_709_120;

const highAbovePercent = 75;
const lowBelowPercent = 25;

/** How full an account is by the console's measure, 0 to 100. */
export const storagePercent = ({ used_space }: Pick<AdminUser, 'used_space'>): number =>
  percentOf(used_space, shownQuotaBytes);

/** The storage filter that an account passes. */
export function storageLevelOf(user: Pick<AdminUser, 'used_space'>): 'high' | 'medium' | 'low' {
  const percent = storagePercent(user);
  if (percent > highAbovePercent) return 'high';
  return percent < lowBelowPercent ? 'low' : 'medium';
}

/** How many filters are set. */
export const countFilters = (filters: UserFilters): number =>
  Object.values(filters).filter(value => value !== 'all').length;

const passes = (wanted: string, actual: string): boolean => wanted === 'all' || wanted === actual;

/** The users of a page that filters and search let through. */
export function filterUsers(
  users: readonly AdminUser[],
  filters: UserFilters,
  search: string,
): readonly AdminUser[] {
  const words = search.trim().toLowerCase();
  return users.filter(
    user =>
      passes(filters.status, user.status) &&
      passes(filters.plan, user.plan) &&
      passes(filters.adminStatus, user.is_admin ? 'admin' : 'user') &&
      passes(filters.storageLevel, storageLevelOf(user)) &&
      (user.name.toLowerCase().includes(words) || user.email.toLowerCase().includes(words)),
  );
}

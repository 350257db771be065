// The filters of the list of users (docs/spec-map.md 3, 5, 9), as they work on the loaded page. The server tests all
// users in the same way when it is asked to. The count line says which of the two is shown.
import type { AdminUser } from '@keyfold/contract';
import {
  ADMIN_SHOWN_QUOTA_BYTES,
  ADMIN_STORAGE_HIGH_PERCENT,
  ADMIN_STORAGE_LOW_PERCENT,
} from '@keyfold/contract/limits';
import { percentOf } from '../../lib/sizes.ts';

export type UserFilters = {
  readonly status: 'all' | 'active' | 'suspended';
  readonly plan: 'all' | 'free' | 'plus' | 'pro';
  readonly adminStatus: 'all' | 'admin' | 'user';
  readonly storageLevel: 'all' | 'high' | 'medium' | 'low';
};

export const noFilters: UserFilters = { status: 'all', plan: 'all', adminStatus: 'all', storageLevel: 'all' };

/** How full an account is by the console's measure, 0 to 100. */
export const storagePercent = ({ used_space }: Pick<AdminUser, 'used_space'>): number =>
  percentOf(used_space, ADMIN_SHOWN_QUOTA_BYTES);

/** The storage filter that an account passes. */
export function storageLevelOf(user: Pick<AdminUser, 'used_space'>): 'high' | 'medium' | 'low' {
  const percent = storagePercent(user);
  if (percent > ADMIN_STORAGE_HIGH_PERCENT) return 'high';
  return percent < ADMIN_STORAGE_LOW_PERCENT ? 'low' : 'medium';
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

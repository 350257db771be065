// The filters of the user list (docs/spec-map.md 3, 5, 9), applied to the loaded page. The server
// applies the same filters to all users on request. The count line says which of the two is shown.
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

/** Returns used storage by the console's measure, 0 to 100. */
export const storagePercent = ({ used_space }: Pick<AdminUser, 'used_space'>): number =>
  percentOf(used_space, ADMIN_SHOWN_QUOTA_BYTES);

/** Returns the storage filter that matches an account. */
export function storageLevelOf(user: Pick<AdminUser, 'used_space'>): 'high' | 'medium' | 'low' {
  const percent = storagePercent(user);
  if (percent > ADMIN_STORAGE_HIGH_PERCENT) return 'high';
  return percent < ADMIN_STORAGE_LOW_PERCENT ? 'low' : 'medium';
}

/** Returns the number of active filters. */
export const countFilters = (filters: UserFilters): number =>
  Object.values(filters).filter(value => value !== 'all').length;

const passes = (wanted: string, actual: string): boolean => wanted === 'all' || wanted === actual;

/** Returns the users of a page that match filters and search. */
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

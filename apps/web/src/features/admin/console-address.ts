// The console's state in its URL: tab, page and filters in the query; the search text in the
// fragment, because a browser sends the query to the server on every reload. Independent of the
// router.
import { ADMIN_PAGE_MAX, ADMIN_SEARCH_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { PLANS } from '@keyfold/contract/plans';
import { hashOf, searchOf } from '../../search-address.ts';
import { noFilters, type UserFilters } from './user-filters.ts';

const tabs = ['dashboard', 'users', 'operations', 'audit'] as const;
export type ConsoleTab = (typeof tabs)[number];

export type ConsolePlace = {
  readonly tab: ConsoleTab;
  /** Counted from 1. */
  readonly page: number;
  readonly search: string;
  readonly filters: UserFilters;
  /** Whether filters apply to all users on the server; otherwise they apply to the loaded page. */
  readonly isOfAll: boolean;
};

const names = { status: 'status', plan: 'plan', adminStatus: 'admin', storageLevel: 'storage' } as const;
const values = {
  status: ['active', 'suspended'],
  plan: PLANS,
  adminStatus: ['admin', 'user'],
  storageLevel: ['high', 'medium', 'low'],
} as const;

const known = <T extends string>(allowed: readonly T[], text: string | null): T | null =>
  allowed.find(one => one === text) ?? null;

/** Parses a URL; unknown values keep their defaults. */
export function placeOf(query: URLSearchParams, hash: string): ConsolePlace {
  const page = Number(query.get('page') ?? 1);
  return {
    tab: known(tabs, query.get('tab')) ?? 'dashboard',
    page: Number.isInteger(page) ? Math.min(ADMIN_PAGE_MAX, Math.max(1, page)) : 1,
    search: searchOf(hash).trim().slice(0, ADMIN_SEARCH_MAX_CHARACTERS),
    filters: {
      status: known(values.status, query.get(names.status)) ?? noFilters.status,
      plan: known(values.plan, query.get(names.plan)) ?? noFilters.plan,
      adminStatus: known(values.adminStatus, query.get(names.adminStatus)) ?? noFilters.adminStatus,
      storageLevel: known(values.storageLevel, query.get(names.storageLevel)) ?? noFilters.storageLevel,
    },
    isOfAll: query.get('of') === 'all',
  };
}

/** Returns the URL of a state; it contains only values that differ from the defaults. */
export function addressOf({ tab, page, search, filters, isOfAll }: ConsolePlace): {
  readonly search: string;
  readonly hash: string;
} {
  if (tab !== 'users') return { search: tab === 'dashboard' ? '' : `?tab=${tab}`, hash: '' };
  const query = new URLSearchParams({ tab });
  if (page > 1) query.set('page', String(page));
  for (const [filter, name] of Object.entries(names) as [keyof UserFilters, string][])
    if (filters[filter] !== 'all') query.set(name, filters[filter]);
  if (isOfAll) query.set('of', 'all');
  return { search: `?${query}`, hash: hashOf(search) };
}

import { expect, test } from 'vitest';
import { addressOf, placeOf } from './console-address.ts';
import { noFilters } from './user-filters.ts';

const read = (search: string, hash = '') => placeOf(new URLSearchParams(search), hash);
const first = { tab: 'dashboard', page: 1, search: '', filters: noFilters, isOfAll: false } as const;

test('the dashboard has the bare address', () => {
  expect(read('')).toEqual(first);
  expect(addressOf(first)).toEqual({ search: '', hash: '' });
});

test('tab, page, filters and search are restored from their address', () => {
  const place = {
    tab: 'users',
    page: 3,
    search: 'Jörg & co',
    filters: { status: 'suspended', plan: 'pro', adminStatus: 'user', storageLevel: 'high' },
    isOfAll: true,
  } as const;
  const address = addressOf(place);
  expect(read(address.search, address.hash)).toEqual(place);
});

test('the search text is only in the fragment, which is never sent to a server', () => {
  const { search, hash } = addressOf({ ...first, tab: 'users', search: 'bob@keyfold.test' });
  expect(search).toBe('?tab=users');
  expect(hash).toBe('#q=bob%40keyfold.test');
});

test('addresses of other tabs contain no list parameters', () => {
  expect(addressOf({ ...first, tab: 'audit', page: 4, search: 'bob', isOfAll: true })).toEqual({
    search: '?tab=audit',
    hash: '',
  });
});

test.each(['0', '-3', 'x', '1.5', ''])('page %j is read as page 1', page => {
  expect(read(`tab=users&page=${page}`).page).toBe(1);
});

test('unknown values select all users', () => {
  expect(read('tab=settings&status=gone&plan=all&storage=&of=page&page=99999999')).toEqual({
    ...first,
    page: 10_000,
  });
});

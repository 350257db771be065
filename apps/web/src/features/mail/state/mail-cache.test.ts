// Lists share fetched pages only when their queries are identical (docs/spec-map.md 4.23,
// docs/interpretations.md#54).
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { MailQuery } from './folders.ts';
import { listKey } from './mail-cache.ts';

const QUERY: MailQuery = { deleted: false, draft: false, threading: true };
const PAGES = { pages: [{ rows: [], count: 7 }], pageParams: [{ skip: 0 }] };

function cacheWith(query: MailQuery, index = 0) {
  const cache = new QueryClient();
  cache.setQueryData(listKey('recieved', query, index), PAGES);
  return cache;
}

test('the same query finds its pages again, whatever the order of its properties', () => {
  const same: MailQuery = { threading: true, draft: false, deleted: false };
  expect(cacheWith(QUERY).getQueryData(listKey('recieved', same, 0))).toEqual(PAGES);
});

test.each<MailQuery>([
  { address: 'alias@keyfold.test' },
  { sent: true },
  { archived: false },
  { deleted: true },
  { draft: true },
  { flagged: false },
  { read: false },
  { attachment: true },
  { starred: true },
  { public: true },
  { snoozed: false },
  { scheduled: true },
  { search: 'YW5u' },
  { tag: ['work'] },
  { threading: false },
])('a query that differs in %j finds no pages of another', change => {
  const cache = cacheWith(QUERY);
  expect(cache.getQueryData(listKey('recieved', { ...QUERY, ...change }, 0))).toBeUndefined();
  expect(cacheWith({ ...QUERY, ...change }).getQueryData(listKey('recieved', QUERY, 0))).toBeUndefined();
});

test('another page of a list has its own cache entry', () => {
  expect(cacheWith(QUERY).getQueryData(listKey('recieved', QUERY, 1))).toBeUndefined();
});

// What becomes of a long list when its newest page is fetched again.
import { expect, test } from 'vitest';
import { withFreshHead } from './list-refresh.ts';
import { idOf, type MailPages, type MailRowData, type WholePage } from './mail-cache.ts';

const row = (id: string): MailRowData => ({ mail: { id } }) as MailRowData;
const page = (ids: string, count = 9): WholePage => ({ rows: [...ids].map(row), count });
const list = (...pages: string[]): MailPages => ({
  pages: pages.map(ids => page(ids)),
  pageParams: pages.map((_, index) => (index === 0 ? { skip: 0 } : { lastId: `${index}` })),
});
const idsOf = ({ pages }: MailPages): string[] => pages.map(({ rows }) => rows.map(idOf).join(''));

test('new mail comes on top, and what was known stays below', () => {
  const next = withFreshHead(list('abc', 'def', 'ghi'), page('xab', 10));
  expect(idsOf(next)).toEqual(['xabc', 'def', 'ghi']);
  expect(next.pages.map(({ count }) => count)).toEqual([10, 10, 10]);
});

test('mail that has left the first page is gone', () => {
  expect(idsOf(withFreshHead(list('abc', 'def', 'ghi'), page('acd')))).toEqual(['acdef', 'ghi']);
});

test('mail that came back on top stands there once', () => {
  expect(idsOf(withFreshHead(list('abc', 'def'), page('cab')))).toEqual(['cab', 'def']);
});

test('after more new mail than a page the list begins anew', () => {
  expect(idsOf(withFreshHead(list('abc', 'def'), page('xyz')))).toEqual(['xyz']);
});

test('an emptied list is empty', () => {
  expect(idsOf(withFreshHead(list('abc', 'def'), page('', 0)))).toEqual(['']);
});

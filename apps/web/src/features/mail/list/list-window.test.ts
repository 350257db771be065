// Which rows of a long list are kept in full, and how rows that come near again are fetched.
import { api } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { idOf, isPresent, type MailPages, type MailRowData, type PageStart } from '../state/mail-cache.ts';
import { bringBack, keepWindow, missingPages, withFarPagesAside } from './list-window.ts';

const PAGES = 200;
const PAGE_ROWS = 50;
const KEY = ['mail-list', 'recieved', {}, 0];
const noneHeld = () => false;

const idAt = (place: number): string => `m${String(place).padStart(6, '0')}`;
const row = (id: string): MailRowData => ({ mail: { id } }) as MailRowData;
const seenPage = (page: number) => ({ first: page * PAGE_ROWS, end: page * PAGE_ROWS + 20 });
const presentPages = ({ pages }: MailPages): number[] =>
  pages.flatMap(({ rows }, index) => (rows.every(isPresent) ? [index] : []));
const idsOf = ({ pages }: MailPages): string[] => pages.flatMap(({ rows }) => rows.map(idOf));

/** The mailbox on the server. */
let box: string[] = [];
let asked: PageStart[] = [];

const gone = () => new CallError(api.mail.query, { status: 404, code: 'not_found', message: 'Not found' });

async function fetchPage(start: PageStart) {
  asked.push(start);
  const after = 'lastId' in start ? box.indexOf(start.lastId) : 'skip' in start ? start.skip - 1 : -1;
  if ('lastId' in start && after < 0) throw gone();
  return { rows: box.slice(after + 1, after + 1 + PAGE_ROWS).map(row), count: box.length };
}

const known = (): MailPages => ({
  pages: Array.from({ length: PAGES }, (_, index) => ({
    rows: box.slice(index * PAGE_ROWS, (index + 1) * PAGE_ROWS).map(row),
    count: box.length,
  })),
  pageParams: Array.from({ length: PAGES }, (_, index) =>
    index === 0 ? { skip: 0 } : { lastId: idAt(index * PAGE_ROWS - 1) },
  ),
});

function cacheWith(pages: MailPages, fetch = fetchPage): QueryClient {
  const cache = new QueryClient();
  cache
    .getQueryCache()
    .build(cache, { queryKey: KEY, meta: { fetchPage: fetch } })
    .setData(pages);
  return cache;
}

const dataOf = (cache: QueryClient): MailPages =>
  cache.getQueryData<MailPages>(KEY) ?? { pages: [], pageParams: [] };

beforeEach(() => {
  box = Array.from({ length: PAGES * PAGE_ROWS }, (_, place) => idAt(place));
  asked = [];
});

test('pages far from the view keep only their row ids, and the first pages stay whole', () => {
  const before = known();
  const after = withFarPagesAside(before, seenPage(150), noneHeld);
  expect(idsOf(after)).toEqual(idsOf(before));
  const whole = presentPages(after);
  expect(whole).toHaveLength(6 + 33);
  expect(whole.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 134]);
  expect(whole.at(-1)).toBe(166);
});

test('a list with few pages to drop stays unchanged', () => {
  const before = { ...known(), pages: known().pages.slice(0, 46) };
  expect(withFarPagesAside(before, seenPage(22), noneHeld)).toBe(before);
});

test('rows in use keep their page whole', () => {
  const after = withFarPagesAside(known(), seenPage(150), id => id === idAt(20 * PAGE_ROWS + 7));
  expect(presentPages(after)).toContain(20);
});

test('visible pages are requested first, and distant ones not at all', () => {
  const far = withFarPagesAside(known(), seenPage(150), noneHeld);
  expect(missingPages(far, seenPage(60))).toEqual([60, 59, 61, 58, 62, 57, 63, 56, 64, 55, 65]);
  expect(missingPages(far, seenPage(150))).toEqual([]);
});

test('pages that come near again are refetched, with each message once', async () => {
  const cache = cacheWith(withFarPagesAside(known(), seenPage(150), noneHeld));
  await keepWindow(cache, KEY, () => seenPage(60), noneHeld);
  expect(idsOf(dataOf(cache))).toEqual(box);
  expect(presentPages(dataOf(cache))).toEqual(expect.arrayContaining([55, 60, 65]));
  expect(asked).toHaveLength(11);
  expect(asked[0]).toEqual({ lastId: idAt(60 * PAGE_ROWS - 1) });
});

test('messages removed meanwhile are gone, and new ones between them appear', async () => {
  const cache = cacheWith(withFarPagesAside(known(), seenPage(150), noneHeld));
  const at = 60 * PAGE_ROWS + 10;
  box.splice(at, 3, 'new');
  await keepWindow(cache, KEY, () => seenPage(60), noneHeld);
  expect(idsOf(dataOf(cache))).toEqual(box);
});

test('more new messages in one place than a page holds are all loaded', async () => {
  const cache = cacheWith(withFarPagesAside(known(), seenPage(150), noneHeld));
  box.splice(60 * PAGE_ROWS + 10, 0, ...Array.from({ length: 120 }, (_, at) => `new${at}`));
  await keepWindow(cache, KEY, () => seenPage(60), noneHeld);
  expect(idsOf(dataOf(cache))).toEqual(box);
});

test('a page whose preceding message was deleted is requested by offset', async () => {
  const cache = cacheWith(withFarPagesAside(known(), seenPage(150), noneHeld));
  box.splice(60 * PAGE_ROWS - 1, 1);
  await keepWindow(cache, KEY, () => ({ first: 60 * PAGE_ROWS, end: 60 * PAGE_ROWS + 1 }), noneHeld);
  const ids = idsOf(dataOf(cache));
  expect(new Set(ids).size).toBe(ids.length);
  const stands = new Set(ids);
  expect(box.filter(id => !stands.has(id))).toEqual([]);
});

test('the list may change while a page loads', async () => {
  const cache = cacheWith(withFarPagesAside(known(), seenPage(150), noneHeld));
  const work = keepWindow(cache, KEY, () => seenPage(60), noneHeld);
  cache.setQueryData<MailPages>(KEY, pages => pages && { ...pages, pages: pages.pages.slice(0, 1) });
  await work;
  expect(idsOf(dataOf(cache))).toEqual(box.slice(0, PAGE_ROWS));
});

test('a failed fetch is reported and leaves the list unchanged', async () => {
  const failing = vi.fn().mockRejectedValue(new Error('no connection'));
  const cache = cacheWith(withFarPagesAside(known(), seenPage(150), noneHeld), failing);
  await expect(keepWindow(cache, KEY, () => seenPage(60), noneHeld)).rejects.toThrow('no connection');
  expect(idsOf(dataOf(cache))).toEqual(box);
});

test('rows about to be changed are reloaded, wherever they are', async () => {
  const cache = cacheWith(withFarPagesAside(known(), seenPage(150), noneHeld));
  const wanted = new Set([idAt(5), idAt(3_000), idAt(4_999), idAt(8_000)]);
  const rows = await bringBack(cache, KEY, wanted);
  expect(rows.map(({ mail }) => mail.id)).toEqual([...wanted]);
  expect(asked).toHaveLength(2);
});

// Corrects the list's view of an opened message immediately, and stores the correction once.
import type { Email } from '@keyfold/contract';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { conversationsKey, listKey, type MailPages, type MailRowData } from './mail-cache.ts';
import { mendSummaries } from './mend-summaries.ts';
import type { WholeMail } from './queries.ts';

const summary = (subject: string) => ({
  subject,
  from: { name: '', address: 'info@shop.example' },
  to: [],
  cc: [],
  date: '2026-03-01T08:00:00.000Z',
  snippet: '',
  attachments: 0,
  invite: false,
});
const rowOf = (id: string, failed: string | null = null) =>
  ({ mail: { id } as Email, opened: { id, kind: 'mail', summary: summary('Gr??e'), failed } }) as MailRowData;
const openedOf = (id: string, isWrong: boolean) =>
  ({
    mail: { id },
    content: isWrong ? { mended: { shown: summary('Grüße'), sealed: 'c2VhbGVk', was: 'd2Fz' } } : {},
  }) as unknown as WholeMail;

function cacheOf(rows: readonly MailRowData[]): QueryClient {
  const cache = new QueryClient();
  for (const word of ['recieved', 'all'])
    cache.setQueryData(listKey(word, {}, 0), {
      pages: [{ rows, count: rows.length }],
      pageParams: [{ skip: 0 }],
    });
  cache.setQueryData([...conversationsKey, 'one'], rows);
  return cache;
}
const rowsOf = (cache: QueryClient, word: string) =>
  cache.getQueryData<MailPages>(listKey(word, {}, 0))?.pages.flatMap(({ rows }) => rows as MailRowData[]) ??
  [];
const subjects = (cache: QueryClient): string[][] =>
  [
    rowsOf(cache, 'recieved'),
    rowsOf(cache, 'all'),
    cache.getQueryData<MailRowData[]>([...conversationsKey, 'one']) ?? [],
  ].map(rows => rows.map(({ opened }) => opened.summary.subject));

let calls: { path: string; body: unknown }[] = [];
let told: unknown[] = [];
let status = 200;
beforeEach(() => {
  [calls, told, status] = [[], [], 200];
  vi.stubGlobal('dispatchEvent', (event: CustomEvent) => told.push(event.detail));
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    calls.push({ path, body: JSON.parse(body) });
    return Response.json({ data: { updated: 1 } }, { status });
  });
});
afterEach(() => vi.unstubAllGlobals());

test('corrects the rows of every list, reindexes the message, and stores the correction once', async () => {
  const [wrong, right] = [crypto.randomUUID(), crypto.randomUUID()];
  const cache = cacheOf([rowOf(wrong), rowOf(right)]);
  const opened = [openedOf(wrong, true), openedOf(right, false)];
  await mendSummaries(cache, opened);
  expect(subjects(cache)).toEqual([1, 2, 3].map(() => ['Grüße', 'Gr??e']));
  expect(calls).toEqual([
    { path: '/user/mend_summary', body: { email_id: wrong, summary: 'c2VhbGVk', was: 'd2Fz' } },
  ]);
  expect(told).toEqual([{ ids: [wrong] }]);
  await mendSummaries(cache, opened);
  expect([calls.length, told.length]).toEqual([1, 1]);
});

test('a correct summary causes no work', async () => {
  const cache = cacheOf([rowOf('a')]);
  const before = cache.getQueryData(listKey('all', {}, 0));
  await mendSummaries(cache, [openedOf('a', false)]);
  expect([calls, told, cache.getQueryData(listKey('all', {}, 0)) === before]).toEqual([[], [], true]);
});

test('a refused correction is not sent again, and the row stays corrected', async () => {
  status = 500;
  const id = crypto.randomUUID();
  const cache = cacheOf([rowOf(id)]);
  for (const _ of [1, 2]) await mendSummaries(cache, [openedOf(id, true)]);
  expect([calls.length, subjects(cache)[0]]).toEqual([1, ['Grüße']]);
});

test('a row that failed to open is not corrected', async () => {
  const id = crypto.randomUUID();
  const cache = cacheOf([rowOf(id, 'Failed to decrypt message')]);
  await mendSummaries(cache, [openedOf(id, true)]);
  expect(subjects(cache)[0]).toEqual(['Gr??e']);
});

// What becomes of a long list when its newest page is fetched again, and of one whose first answer is on its way.
import { InfiniteQueryObserver, MutationObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { freshenHead, refreshLists, withFreshHead } from './list-refresh.ts';
import { idOf, listsKey, type MailPages, type MailRowData, marksKey, type WholePage } from './mail-cache.ts';

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

test('a list whose first answer was under way is asked for once more: that answer may be from before', async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  let stored = 'ab';
  const answers: (() => void)[] = [];
  const observer = new InfiniteQueryObserver(cache, {
    queryKey: [...listsKey, 'drafts'],
    initialPageParam: { skip: 0 },
    getNextPageParam: () => null,
    queryFn: () => {
      const found = page(stored);
      return new Promise<WholePage>(resolve => answers.push(() => resolve(found)));
    },
  });
  const stop = observer.subscribe(() => undefined);
  stored = 'abc';
  const refreshed = refreshLists(cache);
  answers[0]?.();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.();
  await refreshed;
  expect(observer.getCurrentResult().data?.pages[0]?.rows.map(idOf)).toEqual(['a', 'b', 'c']);
  stop();
  cache.clear();
});

/** A long list that is shown, whose newest page is what `stored` says when it is asked for and comes when it is let through. */
function showLongList(stored: () => string) {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const key = [...listsKey, 'inbox'];
  const answers: PromiseWithResolvers<WholePage>[] = [];
  const found: WholePage[] = [];
  const fetchPage = () => {
    const coming = Promise.withResolvers<WholePage>();
    answers.push(coming);
    found.push(page(stored()));
    return coming.promise;
  };
  cache.setQueryData(key, list('ab', 'cd', 'ef', 'gh'));
  const observer = new InfiniteQueryObserver(cache, {
    queryKey: key,
    initialPageParam: { skip: 0 },
    getNextPageParam: () => null,
    queryFn: fetchPage,
    meta: { fetchPage },
  });
  const stop = observer.subscribe(() => undefined);
  const coming = async (at: number) => {
    await expect.poll(() => answers.length).toBe(at + 1);
    return answers[at];
  };
  const answer = async (at: number) => (await coming(at))?.resolve(found[at] ?? page(''));
  const fail = async (at: number) => (await coming(at))?.reject(new Error('No answer'));
  const close = () => {
    stop();
    cache.clear();
  };
  return {
    cache,
    key,
    asked: () => answers.length,
    answer,
    fail,
    close,
    shown: () => idsOf(cache.getQueryData(key) ?? list()).join(''),
  };
}

test('who asks for a long list while it is being asked for gets an answer from afterwards', async () => {
  let stored = 'ab';
  const { cache, key, answer, close, shown } = showLongList(() => stored);
  const first = freshenHead(cache, key);
  stored = 'xa';
  const second = freshenHead(cache, key);
  await answer(0);
  await answer(1);
  await Promise.all([first, second]);
  expect(shown()).toBe('xabcdefgh');
  close();
});

test('a long list that is asked for again and again shows every answer, and nobody waits for more than their own', async () => {
  let stored = 'xa';
  const { cache, key, asked, answer, close, shown } = showLongList(() => stored);
  const first = freshenHead(cache, key);
  const second = freshenHead(cache, key);
  await answer(0);
  await first;
  expect(shown()).toBe('xabcdefgh');
  await expect.poll(asked).toBe(2);
  stored = 'yx';
  const third = freshenHead(cache, key);
  await answer(1);
  await second;
  await answer(2);
  await third;
  expect(shown()).toBe('yxabcdefgh');
  close();
});

test('who asks for a long list meanwhile does not hear that a request from before failed', async () => {
  const { cache, key, answer, fail, close, shown } = showLongList(() => 'xa');
  const first = freshenHead(cache, key);
  const second = freshenHead(cache, key);
  await fail(0);
  await expect(first).rejects.toThrow('No answer');
  await answer(1);
  await second;
  expect(shown()).toBe('xabcdefgh');
  close();
});

test('a long list that never rests here takes an answer all the same', async () => {
  const { cache, key, answer, close, shown } = showLongList(() => 'xa');
  const refreshed = freshenHead(cache, key);
  for (const at of [0, 1, 2]) {
    cache.setQueryData<MailPages>(key, known => known && { ...known });
    await answer(at);
  }
  await refreshed;
  expect(shown()).toBe('xabcdefgh');
  close();
});

test('a long list that changed here meanwhile is asked for again', async () => {
  const { cache, key, answer, close, shown } = showLongList(() => 'xa');
  const refreshed = freshenHead(cache, key);
  cache.setQueryData<MailPages>(key, known => known && { ...known, pages: known.pages.slice(0, 3) });
  await answer(0);
  await answer(1);
  await refreshed;
  expect(shown()).toBe('xabcdef');
  close();
});

test('an answer that came while a mark was on its way is left out: who made the mark asks', async () => {
  const { cache, key, answer, close, shown } = showLongList(() => 'xa');
  let settle = (): void => undefined;
  const mark = new MutationObserver(cache, {
    mutationKey: marksKey,
    mutationFn: () => new Promise<void>(resolve => (settle = resolve)),
  }).mutate();
  await expect.poll(() => cache.isMutating({ mutationKey: marksKey })).toBe(1);
  const refreshed = freshenHead(cache, key);
  await answer(0);
  await refreshed;
  expect(shown()).toBe('abcdefgh');
  settle();
  await mark;
  close();
});

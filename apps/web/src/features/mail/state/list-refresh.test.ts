// Refreshing a long list by its newest page, and a list whose first response is still pending.
import { InfiniteQueryObserver, MutationObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { freshenHead, refreshLists, withFreshHead } from './list-refresh.ts';
import {
  flagChangesKey,
  idOf,
  listsKey,
  type MailPages,
  type MailRowData,
  type WholePage,
} from './mail-cache.ts';

const row = (id: string): MailRowData => ({ mail: { id } }) as MailRowData;
const page = (ids: string, count = 9): WholePage => ({ rows: [...ids].map(row), count });
const list = (...pages: string[]): MailPages => ({
  pages: pages.map(ids => page(ids)),
  pageParams: pages.map((_, index) => (index === 0 ? { skip: 0 } : { lastId: `${index}` })),
});
const idsOf = ({ pages }: MailPages): string[] => pages.map(({ rows }) => rows.map(idOf).join(''));

test('new messages are added on top, and known ones stay below', () => {
  const next = withFreshHead(list('abc', 'def', 'ghi'), page('xab', 10));
  expect(idsOf(next)).toEqual(['xabc', 'def', 'ghi']);
  expect(next.pages.map(({ count }) => count)).toEqual([10, 10, 10]);
});

test('a message that left the first page is removed', () => {
  expect(idsOf(withFreshHead(list('abc', 'def', 'ghi'), page('acd')))).toEqual(['acdef', 'ghi']);
});

test('a message that came back to the top appears once', () => {
  expect(idsOf(withFreshHead(list('abc', 'def'), page('cab')))).toEqual(['cab', 'def']);
});

test('the list starts over after more new messages than a page holds', () => {
  expect(idsOf(withFreshHead(list('abc', 'def'), page('xyz')))).toEqual(['xyz']);
});

test('an emptied list becomes empty', () => {
  expect(idsOf(withFreshHead(list('abc', 'def'), page('', 0)))).toEqual(['']);
});

test('a list whose first response is pending is requested again, because the response may be outdated', async () => {
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

/**
 * Shows a long list. Its newest page returns what `stored` says at the time of the request, and
 * arrives when the test releases it.
 */
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
  const fail = async (at: number) => (await coming(at))?.reject(new Error('No response'));
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

test('a refresh during another refresh gets a response that was requested later', async () => {
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

test('repeated refreshes show every response, and each caller waits only for its own', async () => {
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

test('a refresh does not fail because an earlier one failed', async () => {
  const { cache, key, answer, fail, close, shown } = showLongList(() => 'xa');
  const first = freshenHead(cache, key);
  const second = freshenHead(cache, key);
  await fail(0);
  await expect(first).rejects.toThrow('No response');
  await answer(1);
  await second;
  expect(shown()).toBe('xabcdefgh');
  close();
});

test('a long list that keeps changing locally still accepts a response', async () => {
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

test('a long list that changed locally is requested again', async () => {
  const { cache, key, answer, close, shown } = showLongList(() => 'xa');
  const refreshed = freshenHead(cache, key);
  cache.setQueryData<MailPages>(key, known => known && { ...known, pages: known.pages.slice(0, 3) });
  await answer(0);
  await answer(1);
  await refreshed;
  expect(shown()).toBe('xabcdef');
  close();
});

test('a response that arrives during a flag change is dropped', async () => {
  const { cache, key, answer, close, shown } = showLongList(() => 'xa');
  let settle = (): void => undefined;
  const mark = new MutationObserver(cache, {
    mutationKey: flagChangesKey,
    mutationFn: () => new Promise<void>(resolve => (settle = resolve)),
  }).mutate();
  await expect.poll(() => cache.isMutating({ mutationKey: flagChangesKey })).toBe(1);
  const refreshed = freshenHead(cache, key);
  await answer(0);
  await refreshed;
  expect(shown()).toBe('abcdefgh');
  settle();
  await mark;
  close();
});

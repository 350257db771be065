// Refetching everything must not fetch a list of a thousand pages page by page.
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { askAllAgain, listsKey, mailWanted } from './mail-news.ts';

afterEach(() => vi.unstubAllGlobals());

test('a refresh fetches every visible query except lists, which refresh themselves', async () => {
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  const wanted = vi.fn();
  page.addEventListener(mailWanted, wanted);
  const cache = new QueryClient();
  const shown = (queryKey: readonly string[]) => {
    const queryFn = vi.fn().mockResolvedValue('answer');
    const stop = new QueryObserver(cache, { queryKey, queryFn }).subscribe(() => undefined);
    return { queryFn, stop };
  };
  const list = shown([...listsKey, 'recieved']);
  const counts = shown(['mail-counts']);
  await vi.waitFor(() => expect(cache.isFetching()).toBe(0));
  await askAllAgain(cache);
  expect(list.queryFn).toHaveBeenCalledTimes(1);
  expect(counts.queryFn).toHaveBeenCalledTimes(2);
  expect(wanted).toHaveBeenCalledTimes(1);
  expect(cache.getQueryCache().find({ queryKey: [...listsKey, 'recieved'] })?.state.isInvalidated).toBe(true);
  list.stop();
  counts.stop();
});

import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { firstHit } from './first-hit.ts';

const pagesOf = (...ids: string[]) => ({ pages: [{ rows: ids.map(id => ({ mail: { id } })), count: 2 }] });
let stop = () => undefined as unknown;
afterEach(() => stop());

test('the first hit comes from the search that is shown, whatever its filter, once it has a response', async () => {
  const cache = new QueryClient();
  const answer = Promise.withResolvers<unknown>();
  cache.setQueryData(['mail-list', 'recieved', { archived: false }, 0], pagesOf('inbox'));
  cache.setQueryData(['mail-list', 'all', { search: 'tea', filter: 'all' }, 0], pagesOf('older'));
  const key = ['mail-list', 'all', { search: 'tea', filter: 'unread' }, 0];
  stop = new QueryObserver(cache, { queryKey: key, queryFn: () => answer.promise }).subscribe(
    () => undefined,
  );
  expect(firstHit(cache, 'tea')).toBeNull();
  answer.resolve(pagesOf('first', 'second'));
  await expect.poll(() => firstHit(cache, 'tea')).toBe('first');
  expect(firstHit(cache, 'te')).toBeNull();
});

test('a search without results has no first hit', () => {
  const cache = new QueryClient();
  const key = ['mail-list', 'all', { search: 'tea', filter: 'all' }, 0];
  cache.setQueryData(key, pagesOf());
  stop = new QueryObserver(cache, {
    queryKey: key,
    queryFn: () => pagesOf(),
    staleTime: Number.POSITIVE_INFINITY,
  }).subscribe(() => undefined);
  expect(firstHit(cache, 'tea')).toBeNull();
});

import { expect, test } from 'vitest';
import { createQueryCache } from './query-cache.ts';

test('a count is computed once per version for all concurrent requests', async () => {
  const cache = createQueryCache(10);
  let done = 0;
  const work = async () => {
    await Promise.resolve();
    return ++done;
  };
  const ask = (version: number, user = 'ann') => cache.open(user, 'inbox', version).count(work);
  const answers = await Promise.all([ask(1), ask(1), ask(1)]);
  expect(answers.map(({ count }) => count)).toEqual([1, 1, 1]);
  expect(answers.map(({ cache_hit }) => cache_hit)).toEqual([false, true, true]);
  expect(await ask(1)).toEqual({ count: 1, cache_hit: true });
  expect(await ask(2)).toEqual({ count: 2, cache_hit: false });
  expect(await ask(2, 'bob')).toEqual({ count: 3, cache_hit: false });
});

test('a failed count fails for all waiting requests and is then retried', async () => {
  const cache = createQueryCache(10);
  const ask = (work: () => Promise<number>) => cache.open('ann', 'inbox', 1).count(work);
  const failing = () => Promise.reject(new Error('no database'));
  for (const answer of await Promise.allSettled([ask(failing), ask(failing)]))
    expect(answer.status).toBe('rejected');
  expect(await ask(async () => 7)).toEqual({ count: 7, cache_hit: false });
});

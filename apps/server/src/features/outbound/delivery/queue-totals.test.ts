// How long queue totals are cached.
import { expect, test } from 'vitest';
import { QUEUE_TOTALS_KEPT_MAX_MS } from '../../../base/limits.ts';
import { keepTotals } from './queue-totals.ts';

/** Starts a count that takes the given time, on its own clock. */
function start(tookMs: number) {
  let now = 0;
  let counted = 0;
  let isAway = false;
  const totals = keepTotals(
    async () => {
      const mine = ++counted;
      await Promise.resolve();
      now += tookMs;
      if (isAway) throw new Error('away');
      return mine;
    },
    () => now,
  );
  return {
    ...totals,
    wait: (ms: number) => {
      now += ms;
    },
    break: (away: boolean) => {
      isAway = away;
    },
  };
}

test('concurrent requests share one count, and a count that was quick to make is soon repeated', async () => {
  const { get, wait } = start(5);
  expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
  wait(99);
  expect(await get()).toBe(1);
  wait(1);
  expect(await get()).toBe(2);
});

test('a slow count is cached for a few seconds at most', async () => {
  const { get, wait } = start(60_000);
  await get();
  wait(QUEUE_TOTALS_KEPT_MAX_MS - 1);
  expect(await get()).toBe(1);
  wait(1);
  expect(await get()).toBe(2);
});

test('forgetting an old count does not discard the newer one', async () => {
  const { get, forget } = start(1_000);
  const read = await get();
  forget(read);
  const anew = get();
  forget(read);
  expect([await anew, await get()]).toEqual([2, 2]);
  forget(2);
  expect(await get()).toBe(3);
});

test('a change triggers a new count at once, and a failed count is not cached', async () => {
  const { get, forget, break: breakIt } = start(1_000);
  expect(await get()).toBe(1);
  forget();
  expect(await get()).toBe(2);
  forget();
  breakIt(true);
  await expect(get()).rejects.toThrow('away');
  breakIt(false);
  expect(await get()).toBe(4);
});

// How long a counted queue is believed.
import { expect, test } from 'vitest';
import { QUEUE_TOTALS_KEPT_MAX_MS } from '../../../base/limits.ts';
import { keepTotals } from './queue-totals.ts';

/** A count that takes a while, on a clock of its own. */
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

test('those who ask at one time have it counted once, and a quick count is soon made again', async () => {
  const { get, wait } = start(5);
  expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
  wait(99);
  expect(await get()).toBe(1);
  wait(1);
  expect(await get()).toBe(2);
});

test('a slow count is kept for some seconds and no longer', async () => {
  const { get, wait } = start(60_000);
  await get();
  wait(QUEUE_TOTALS_KEPT_MAX_MS - 1);
  expect(await get()).toBe(1);
  wait(1);
  expect(await get()).toBe(2);
});

test('a count that somebody else has asked for since is not forgotten for the one before it', async () => {
  const { get, forget } = start(1_000);
  const read = await get();
  forget(read);
  const anew = get();
  forget(read);
  expect([await anew, await get()]).toEqual([2, 2]);
  forget(2);
  expect(await get()).toBe(3);
});

test('what was changed is counted anew at once, and a failure is not kept', async () => {
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

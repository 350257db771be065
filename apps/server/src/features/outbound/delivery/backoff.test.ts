import { expect, test } from 'vitest';
import { OUTBOUND_GIVE_UP_MS } from '../../../base/sending-limits.ts';
import { DELAY_NOTICE_ATTEMPT, nextAttemptAt } from './backoff.ts';

const START = new Date('2026-11-21T00:00:00Z');
const MINUTE_MS = 60_000;

/** Returns the attempt times, in minutes after the start, when every attempt fails. */
function attemptMinutes(): number[] {
  const minutes = [0];
  let now = START;
  for (let attempts = 1; ; attempts++) {
    const next = nextAttemptAt(START, attempts, now);
    if (next === null) return minutes;
    minutes.push((next.getTime() - START.getTime()) / MINUTE_MS);
    now = next;
  }
}

test('waits grow from a minute to four hours', () => {
  expect(attemptMinutes().slice(0, 9)).toEqual([0, 1, 6, 21, 51, 111, 231, 471, 711]);
});

test('the last attempt falls on the day that is promised', () => {
  expect(attemptMinutes().at(-1)).toBe(OUTBOUND_GIVE_UP_MS / MINUTE_MS);
});

test('a delay is reported within the first four hours', () => {
  const minutes = attemptMinutes()[DELAY_NOTICE_ATTEMPT - 1] ?? 0;
  expect(minutes).toBeGreaterThan(180);
  expect(minutes).toBeLessThan(240);
});

test('a worker that was suspended for days gives up instead of starting over', () => {
  expect(nextAttemptAt(START, 1, new Date(START.getTime() + OUTBOUND_GIVE_UP_MS))).toBeNull();
});

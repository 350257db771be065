import { expect, test } from 'vitest';
import { createFixedWindowLimiter } from '../../../base/fixed-window-limiter.ts';
import { createReportBounds } from './report-bounds.ts';

const DAY_MS = 86_400_000;
/** Creates the limits of one machine with this clock. */
const boundsBy = (now: () => number) =>
  createReportBounds((_, points, keysMax) =>
    createFixedWindowLimiter({ points, windowMs: DAY_MS, keysMax, now }),
  );

test('reports to outside addresses are limited per day, by address and by domain', () => {
  const clock = { nowMs: 0 };
  const { mayMail } = boundsBy(() => clock.nowMs);
  const tries = (count: number, to: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => mayMail(`d${index}.evil.test`, to(index))).filter(Boolean)
      .length;
  expect(tries(100, () => 'victim@else.test')).toBe(20);
  expect(tries(1, () => 'Victim@ELSE.test')).toBe(0);
  expect(tries(600, index => `v${index}@else.test`)).toBe(480);
  expect(tries(30, () => 'victim@another.test')).toBe(20);
  clock.nowMs = DAY_MS;
  expect(tries(1, () => 'victim@else.test')).toBe(1);
});

test('reports to an address within the reported domain are not limited', () => {
  const { mayMail } = boundsBy(() => 0);
  for (let count = 0; count < 1_000; count++) {
    expect(mayMail('mail.own.test', 'tls@own.test')).toBe(true);
    expect(mayMail('own.test', 'tls@reports.own.test')).toBe(true);
  }
});

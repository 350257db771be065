// Recurrence rules of appointments, as Outlook writes them.

import { numbers } from '@keyfold/testing/pst-heap';
import { expect, test } from 'vitest';
import { findRepetition } from './recurrence.ts';

const day = (text: string): number => (Date.parse(`${text}T00:00:00Z`) + 11_644_473_600_000) / 60_000;

type Plan = {
  frequency: number;
  pattern: number;
  period: number;
  specific?: number[];
  end?: number;
  count?: number;
  gone?: string[];
  last?: string;
};

const blob = ({
  frequency,
  pattern,
  period,
  specific = [],
  end = 0x2023,
  count = 0,
  gone = [],
  last = '2030-01-01',
}: Plan) =>
  numbers(
    [2, 0x3004],
    [2, 0x3004],
    [2, frequency],
    [2, pattern],
    [2, 0],
    [4, 0],
    [4, period],
    [4, 0],
    ...specific.map(value => [4, value] as const),
    [4, end],
    [4, count],
    [4, 0],
    [4, gone.length],
    ...gone.map(text => [4, day(text)] as const),
    [4, 0],
    [4, day('2020-01-01')],
    [4, day(last)],
  );

const [DAILY, WEEKLY, MONTHLY, YEARLY] = [0x200a, 0x200b, 0x200c, 0x200d] as const;

test.each([
  ['FREQ=DAILY', { frequency: DAILY, pattern: 0, period: 1440 }],
  ['FREQ=DAILY;INTERVAL=3;COUNT=10', { frequency: DAILY, pattern: 0, period: 4320, end: 0x2022, count: 10 }],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', { frequency: DAILY, pattern: 1, period: 1, specific: [0x3e] }],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,WE;UNTIL=20210301T235959Z',
    { frequency: WEEKLY, pattern: 1, period: 2, specific: [0x09], end: 0x2021, last: '2021-03-01' },
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=15', { frequency: MONTHLY, pattern: 2, period: 1, specific: [15] }],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', { frequency: MONTHLY, pattern: 2, period: 1, specific: [31] }],
  ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=-1', { frequency: MONTHLY, pattern: 3, period: 1, specific: [4, 5] }],
  ['FREQ=YEARLY;BYMONTHDAY=9', { frequency: YEARLY, pattern: 2, period: 12, specific: [9] }],
] as const)('%s', (rule, plan) => {
  expect(findRepetition(blob(plan as never))?.rule).toBe(rule);
});

test('returns the excluded dates', () => {
  const plan = { frequency: DAILY, pattern: 0, period: 1440, gone: ['2020-02-03', '2020-02-04'] };
  expect(findRepetition(blob(plan))?.leftOut.map(date => date.toISOString().slice(0, 10))).toEqual([
    '2020-02-03',
    '2020-02-04',
  ]);
});

test('an invalid pattern gives no rule', () => {
  expect(findRepetition(new Uint8Array(10))).toBeNull();
  expect(findRepetition(new Uint8Array(100))).toBeNull();
  expect(findRepetition(blob({ frequency: WEEKLY, pattern: 1, period: 0, specific: [1] }))).toBeNull();
  expect(findRepetition(blob({ frequency: WEEKLY, pattern: 1, period: 1, specific: [0] }))).toBeNull();
  expect(
    findRepetition(blob({ frequency: WEEKLY, pattern: 1, period: 1, specific: [1] }).subarray(0, 30)),
  ).toBeNull();
});

// When cached queue totals are recomputed because they contradict the page that was found.
import { expect, test } from 'vitest';
import type { QueueState } from './queue-store.ts';
import { agree } from './queue-view.ts';

const states = (waiting: number, delivering = 0): { state: QueueState; total: number }[] => [
  { state: 'waiting', total: waiting },
  { state: 'delivering', total: delivering },
];

test('totals of a short queue are exact: a stale count of another machine is repeated', () => {
  expect(agree(states(0), 0, { page: 1 })).toBe(true);
  expect(agree(states(0), 3, { page: 1 })).toBe(false);
  expect(agree(states(3), 0, { page: 1 })).toBe(false);
  expect(agree(states(3), 2, { page: 1 })).toBe(false);
  expect(agree(states(3, 1), 1, { page: 1, state: 'delivering' })).toBe(true);
  expect(agree(states(3, 1), 0, { page: 1, state: 'delivering' })).toBe(false);
});

test('a long queue is not recounted for every view of a fast-changing state', () => {
  for (const found of [0, 4, 9]) {
    expect(agree(states(200_000, 9), found, { page: 1, state: 'delivering' })).toBe(true);
  }
  expect(agree(states(200_000, 9), 10, { page: 1, state: 'delivering' })).toBe(false);
  expect(agree(states(200_000), 51, { page: 1 })).toBe(true);
  expect(agree(states(200_000), 7, { page: 4_000 })).toBe(true);
});

test('totals are never lower than the number of rows found, and zero once the queue is empty', () => {
  expect(agree(states(20), 51, { page: 1 })).toBe(false);
  expect(agree(states(120), 30, { page: 3 })).toBe(false);
  expect(agree(states(200_000), 0, { page: 1 })).toBe(false);
  expect(agree(states(2), 0, { page: 4 })).toBe(true);
});

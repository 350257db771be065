// When kept totals of the queue are counted again because they cannot be those of the page that was found.
import { expect, test } from 'vitest';
import type { QueueState } from './queue-store.ts';
import { agree } from './queue-view.ts';

const states = (waiting: number, delivering = 0): { state: QueueState; total: number }[] => [
  { state: 'waiting', total: waiting },
  { state: 'delivering', total: delivering },
];

test('totals of a short queue are exact: what another machine counted a moment ago is counted again', () => {
  expect(agree(states(0), 0, { page: 1 })).toBe(true);
  expect(agree(states(0), 3, { page: 1 })).toBe(false);
  expect(agree(states(3), 0, { page: 1 })).toBe(false);
  expect(agree(states(3), 2, { page: 1 })).toBe(false);
  expect(agree(states(3, 1), 1, { page: 1, state: 'delivering' })).toBe(true);
  expect(agree(states(3, 1), 0, { page: 1, state: 'delivering' })).toBe(false);
});

test('a long queue is not counted for each look at a state that changes all the time', () => {
  for (const found of [0, 4, 9]) {
    expect(agree(states(200_000, 9), found, { page: 1, state: 'delivering' })).toBe(true);
  }
  expect(agree(states(200_000, 9), 10, { page: 1, state: 'delivering' })).toBe(false);
  expect(agree(states(200_000), 51, { page: 1 })).toBe(true);
  expect(agree(states(200_000), 7, { page: 4_000 })).toBe(true);
});

test('totals are never fewer than what was found, and none when nothing waits any more', () => {
  expect(agree(states(20), 51, { page: 1 })).toBe(false);
  expect(agree(states(120), 30, { page: 3 })).toBe(false);
  expect(agree(states(200_000), 0, { page: 1 })).toBe(false);
  expect(agree(states(2), 0, { page: 4 })).toBe(true);
});

import type { RetiredState } from '@keyfold/contract';
import { expect, test } from 'vitest';
import { toKeyWork } from './RetiredKeyRow.tsx';

const retired = (mails: number, waiting: number) => ({ mails, waiting }) as RetiredState;

test('local progress adds to the server’s count, and only the server reports completion', () => {
  expect(toKeyWork(retired(9_000, 9_000), null)).toEqual({ done: 0, total: 9_000, failed: 0, isDone: false });
  expect(toKeyWork(retired(9_000, 8_000), { waiting: 7_800, failed: 2 })).toEqual({
    done: 1_200,
    total: 9_000,
    failed: 2,
    isDone: false,
  });
  expect(toKeyWork(retired(10, 4), { waiting: 0, failed: 0 })).toMatchObject({ done: 10, isDone: false });
  expect(toKeyWork(retired(10, 0), { waiting: null, failed: 0 })).toMatchObject({ done: 10, isDone: true });
});

test('the total is never zero, even if only records are waiting', () => {
  expect(toKeyWork(retired(0, 0), null)).toMatchObject({ done: 1, total: 1 });
  expect(toKeyWork(retired(2, 7), null)).toMatchObject({ done: 0, total: 7 });
});

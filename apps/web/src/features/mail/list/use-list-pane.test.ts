import { expect, test } from 'vitest';
import { activeRowAfter, listPhase } from './use-list-pane.ts';

const pending = { isPending: true, isError: false, fetchStatus: 'fetching' } as const;
const answered = { isPending: false, isError: false, fetchStatus: 'idle' } as const;
const failed = { isPending: false, isError: true, fetchStatus: 'idle' } as const;

test('a loading folder shows placeholders, and a loading search shows nothing until it has results', () => {
  expect(listPhase(pending, 0, false)).toBe('loading');
  expect(listPhase(pending, 0, true)).toBe('waiting');
  expect(listPhase(answered, 3, true)).toBe('ready');
});

test('rows stay when the list fails, and the failure is shown when there are none', () => {
  expect(listPhase(failed, 3, false)).toBe('ready');
  expect(listPhase(failed, 0, false)).toBe('failed');
  expect(listPhase(failed, 0, true)).toBe('failed');
});

test('a list without rows is empty, and so is one that waits for a connection', () => {
  expect(listPhase(answered, 0, false)).toBe('empty');
  expect(listPhase({ ...pending, fetchStatus: 'paused' }, 0, false)).toBe('empty');
});

test('the tab stop follows the open row, and stays when none is open', () => {
  const start = { index: 2, openIndex: -1, search: '' };
  expect(activeRowAfter(start, -1, '')).toBe(start);
  const opened = activeRowAfter(start, 5, '');
  expect(opened).toEqual({ index: 5, openIndex: 5, search: '' });
  expect(activeRowAfter(opened, -1, '').index).toBe(5);
  // The keyboard has moved it since; it does not return while the same row stays open.
  const moved = { ...opened, index: 7 };
  expect(activeRowAfter(moved, 5, '')).toBe(moved);
});

test('a new search starts at its first result, and leaving it keeps the tab stop', () => {
  const start = { index: 4, openIndex: 4, search: '' };
  expect(activeRowAfter(start, 2, 'rent').index).toBe(0);
  expect(activeRowAfter({ index: 3, openIndex: -1, search: 'rent' }, -1, '').index).toBe(3);
});

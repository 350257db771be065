import { expect, test } from 'vitest';
import { activeRowAfter, listPhase } from './use-list-pane.ts';

const pending = { isPending: true, isError: false, fetchStatus: 'fetching' } as const;
const answered = { isPending: false, isError: false, fetchStatus: 'idle' } as const;
const failed = { isPending: false, isError: true, fetchStatus: 'idle' } as const;

test('a folder that is asked for shows its shape, a search nothing until it has hits', () => {
  expect(listPhase(pending, 0, false)).toBe('loading');
  expect(listPhase(pending, 0, true)).toBe('waiting');
  expect(listPhase(answered, 3, true)).toBe('ready');
});

test('rows stay when the list fails, and without rows the failure is shown', () => {
  expect(listPhase(failed, 3, false)).toBe('ready');
  expect(listPhase(failed, 0, false)).toBe('failed');
  expect(listPhase(failed, 0, true)).toBe('failed');
});

test('a list without rows is empty, and so is one that waits for a connection', () => {
  expect(listPhase(answered, 0, false)).toBe('empty');
  expect(listPhase({ ...pending, fetchStatus: 'paused' }, 0, false)).toBe('empty');
});

test('the tab stop follows the open row, and stays where nothing is open', () => {
  const start = { index: 2, openIndex: -1, search: '' };
  expect(activeRowAfter(start, -1, '')).toBe(start);
  const opened = activeRowAfter(start, 5, '');
  expect(opened).toEqual({ index: 5, openIndex: 5, search: '' });
  expect(activeRowAfter(opened, -1, '').index).toBe(5);
  // Moved by keys since: the same row open does not bring it back.
  const moved = { ...opened, index: 7 };
  expect(activeRowAfter(moved, 5, '')).toBe(moved);
});

test('another search begins at its first hit, and its end leaves the tab stop where it is', () => {
  const start = { index: 4, openIndex: 4, search: '' };
  expect(activeRowAfter(start, 2, 'rent').index).toBe(0);
  expect(activeRowAfter({ index: 3, openIndex: -1, search: 'rent' }, -1, '').index).toBe(3);
});

import { expect, test } from 'vitest';
import { countText } from './import-words.ts';
import type { Journal } from './journal.ts';

const journal = (done: number, total: number | null, cards?: number): Journal => ({
  id: 'a',
  at: 0,
  files: [],
  plan: { importId: 'a', places: {}, from: null, until: null, done },
  total,
  state: 'open',
  share: 0,
  imported: 0,
  here: 0,
  bytes: 0,
  contacts: 0,
  ...(cards === undefined ? {} : { cards }),
  skippedCount: 0,
  skipped: [],
});

test('contacts are counted separately from messages', () => {
  expect(countText(journal(19, null, 5), true)).toBe('14 messages, 5 contacts');
  expect(countText(journal(19, 14, 5), true)).toBe('14 messages, 5 contacts');
  expect(countText(journal(10, 14, 5), false)).toBe('5 of 14 messages, 5 contacts');
  // A journal from before contacts were counted.
  expect(countText(journal(14, 14), false)).toBe('14 of 14 messages');
});

test('a folder total that was too high is ignored at the end', () => {
  expect(countText(journal(9, 14, 0), true)).toBe('9 messages');
});

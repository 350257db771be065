import { expect, test } from 'vitest';
import { NO_OPEN_MESSAGES, type OpenMessagesEvent, reduceOpenMessages } from './open-messages.ts';

type Rows = Extract<OpenMessagesEvent, { kind: 'shown' }>['rows'];

const row = (id: string, mail: Partial<Rows[number]['mail']> = {}): Rows[number] => ({
  mail: { id, draft: false, read: true, sent: false, ...mail },
});
const shown = (mailId: string | null, rows: Rows, isWhole = true): OpenMessagesEvent => ({
  kind: 'shown',
  mailId,
  rows,
  isWhole,
});
const after = (...events: OpenMessagesEvent[]) => events.reduce(reduceOpenMessages, NO_OPEN_MESSAGES);
const idsAfter = (...events: OpenMessagesEvent[]) => [...after(...events).ids].toSorted();

const five = [
  row('a'),
  row('b', { read: false }),
  row('c', { read: false, sent: true }),
  row('d'),
  row('e', { draft: true, read: false }),
];

test('the opened, the unread and the last messages are expanded, but drafts are not', () => {
  expect(idsAfter(shown('a', five))).toEqual(['a', 'b', 'd']);
  expect(idsAfter(shown('e', five))).toEqual(['b', 'd']);
  expect(idsAfter(shown('e', [row('e', { draft: true })]))).toEqual([]);
});

test('showing the same conversation again with a new message changes nothing', () => {
  const before = after(shown('a', five), { kind: 'toggled', id: 'a' });
  expect(reduceOpenMessages(before, shown('a', [...five, row('f', { read: false })]))).toBe(before);
});

test('the expanded messages are chosen again, once, when the whole conversation replaces a single message', () => {
  expect(idsAfter(shown('a', [row('a')], false))).toEqual(['a']);
  const whole = after(shown('a', [row('a')], false), shown('a', five));
  expect([...whole.ids].toSorted()).toEqual(['a', 'b', 'd']);
  expect(reduceOpenMessages(whole, shown('a', [row('a')], false))).toBe(whole);
});

test('the expanded messages are chosen again when another conversation has messages', () => {
  const before = after(shown('a', five));
  expect(reduceOpenMessages(before, shown('x', [], false))).toBe(before);
  expect(idsAfter(shown('a', five), shown('x', [row('x')]))).toEqual(['x']);
});

test('messages can be collapsed, expanded, and expanded together', () => {
  expect(idsAfter(shown('a', five), { kind: 'toggled', id: 'b' })).toEqual(['a', 'd']);
  expect(idsAfter(shown('a', five), { kind: 'toggled', id: 'c' })).toEqual(['a', 'b', 'c', 'd']);
  expect(idsAfter(shown('a', five), { kind: 'unfolded', ids: ['b', 'c'] })).toEqual(['a', 'b', 'c', 'd']);
});

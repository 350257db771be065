import { expect, test } from 'vitest';
import type { RecipientState, RecipientView } from '../draft/view-model.ts';
import { mixLabel, plainWarning, sendBlockedReason, sendLabel, summarize } from './recipient-words.ts';

const person = (name: string, state: RecipientState): RecipientView => ({
  name,
  address: `${name.toLowerCase()}@x.example`,
  state,
});
const summary = (...people: RecipientView[]) => summarize({ to: people, cc: [], bcc: [] });

test('the Send button mentions plain recipients only when there are any', () => {
  expect(sendLabel(summary(person('Ines', 'verified')))).toBe('Send');
  const mixed = summary(person('Ines', 'verified'), person('Tomasz', 'sealed'), person('Karl', 'plain'));
  expect(sendLabel(mixed)).toBe('Send, 1 not encrypted');
  expect(mixLabel(mixed)).toBe('2 encrypted, 1 not');
});

test('the warning says who gets plain text and who stays encrypted', () => {
  const words = plainWarning(
    summary(person('Ines', 'verified'), person('Tomasz', 'sealed'), person('Karl', 'plain')),
  );
  expect(words.title).toBe('1 recipient without end-to-end encryption.');
  expect(words.text).toBe('The server can read this message until it has been delivered to karl@x.example.');
  expect(words.keepsEncrypted).toBe('to keep the copy for Ines and Tomasz end-to-end encrypted.');
  expect(plainWarning(summary(person('Karl', 'plain'))).keepsEncrypted).toBe('');
});

test('the warning names some of many people and counts the others', () => {
  const people = 'ABCDEF'.split('').map(name => person(name, 'plain'));
  expect(plainWarning(summary(...people)).text).toBe(
    'The server can read this message until it has been delivered to a@x.example, b@x.example, c@x.example, and 3 others.',
  );
  // No recipient is counted as "1 other" if the name fits in its place.
  expect(plainWarning(summary(...people.slice(0, 4))).text).toContain('and d@x.example');
  const sealed = people.map(one => ({ ...one, state: 'sealed' as const }));
  expect(plainWarning(summary(person('Karl', 'plain'), ...sealed)).keepsEncrypted).toBe(
    'to keep the copy for A, B, C, and 3 others end-to-end encrypted.',
  );
});

test('states the most severe reason why sending is blocked', () => {
  expect(sendBlockedReason(summary(), false)).toBe('Add at least one recipient');
  expect(sendBlockedReason(summary(person('A', 'invalid'), person('B', 'key_changed')), false)).toBe(
    'One of the addresses isn’t valid',
  );
  expect(sendBlockedReason(summary(person('B', 'key_changed')), false)).toContain('key has changed');
  expect(sendBlockedReason(summary(person('A', 'key_changed'), person('B', 'mismatch')), false)).toBe(
    'A safety number doesn’t match. Review it first.',
  );
  expect(summary(person('B', 'mismatch'))).toMatchObject({ encrypted: 0, plain: [] });
  expect(sendBlockedReason(summary(person('B', 'looking_up')), false)).toBe(
    'Still checking the recipients’ encryption',
  );
  expect(sendBlockedReason(summary(person('B', 'plain')), true)).toBe('Wait for uploads to finish');
  expect(sendBlockedReason(summary(person('B', 'plain')), false)).toBeNull();
});

test('a nonexistent address of the service is reported as such and not offered as plain', () => {
  const all = summary(person('A', 'sealed'), person('B', 'unknown'));
  expect(sendBlockedReason(all, false)).toBe('One recipient’s address doesn’t exist');
  expect(sendLabel(all)).toBe('Send');
  expect(mixLabel(all)).toBe('');
  expect(all.plain).toEqual([]);
});

test('Bcc recipients count like all others', () => {
  const all = summarize({ to: [person('A', 'sealed')], cc: [], bcc: [person('B', 'plain')] });
  expect(all.plain).toHaveLength(1);
  expect(all.total).toBe(2);
});

import { expect, test } from 'vitest';
import type { RecipientState, RecipientView } from '../draft/view-model.ts';
import { mixLabel, plainWarning, sendBlockedReason, sendLabel, summarize } from './recipient-words.ts';

const person = (name: string, state: RecipientState): RecipientView => ({
  name,
  address: `${name.toLowerCase()}@x.example`,
  state,
});
const summary = (...people: RecipientView[]) => summarize({ to: people, cc: [], bcc: [] });

test('the Send button names plain recipients only when there are some', () => {
  expect(sendLabel(summary(person('Ines', 'verified')))).toBe('Send');
  const mixed = summary(person('Ines', 'verified'), person('Tomasz', 'sealed'), person('Karl', 'plain'));
  expect(sendLabel(mixed)).toBe('Send, 1 not encrypted');
  expect(mixLabel(mixed)).toBe('2 encrypted, 1 plain');
});

test('the strip says who is seen and who stays encrypted', () => {
  const words = plainWarning(
    summary(person('Ines', 'verified'), person('Tomasz', 'sealed'), person('Karl', 'plain')),
  );
  expect(words.title).toBe('1 recipient without end-to-end encryption.');
  expect(words.text).toBe('To reach karl@x.example the server has to see the text.');
  expect(words.keepsEncrypted).toBe('keeps Ines and Tomasz encrypted.');
  expect(plainWarning(summary(person('Karl', 'plain'))).keepsEncrypted).toBe('');
});

test('of many people the strip names some and counts the others', () => {
  const people = 'ABCDEF'.split('').map(name => person(name, 'plain'));
  expect(plainWarning(summary(...people)).text).toBe(
    'To reach a@x.example, b@x.example, c@x.example, and 3 others the server has to see the text.',
  );
  // Nobody is called "1 other" who could be named in its place.
  expect(plainWarning(summary(...people.slice(0, 4))).text).toContain('and d@x.example');
  const sealed = people.map(one => ({ ...one, state: 'sealed' as const }));
  expect(plainWarning(summary(person('Karl', 'plain'), ...sealed)).keepsEncrypted).toBe(
    'keeps A, B, C, and 3 others encrypted.',
  );
});

test('the reason Send does not work is told, the worst first', () => {
  expect(sendBlockedReason(summary(), false)).toBe('Add a recipient first');
  expect(sendBlockedReason(summary(person('A', 'invalid'), person('B', 'key_changed')), false)).toBe(
    'One recipient is not an address',
  );
  expect(sendBlockedReason(summary(person('B', 'key_changed')), false)).toContain('key has changed');
  expect(sendBlockedReason(summary(person('A', 'key_changed'), person('B', 'mismatch')), false)).toBe(
    'A safety number does not match. Review it first',
  );
  expect(summary(person('B', 'mismatch'))).toMatchObject({ encrypted: 0, plain: [] });
  expect(sendBlockedReason(summary(person('B', 'looking_up')), false)).toBe('Still looking up a key');
  expect(sendBlockedReason(summary(person('B', 'plain')), true)).toBe('A file is still on its way');
  expect(sendBlockedReason(summary(person('B', 'plain')), false)).toBeNull();
});

test('an address of the service that nobody has is said to be that, and is not offered plain', () => {
  const all = summary(person('A', 'sealed'), person('B', 'unknown'));
  expect(sendBlockedReason(all, false)).toBe('Nobody has the address of one recipient');
  expect(sendLabel(all)).toBe('Send');
  expect(mixLabel(all)).toBe('');
  expect(all.plain).toEqual([]);
});

test('bcc counts like everybody else', () => {
  const all = summarize({ to: [person('A', 'sealed')], cc: [], bcc: [person('B', 'plain')] });
  expect(all.plain).toHaveLength(1);
  expect(all.total).toBe(2);
});

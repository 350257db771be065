import { expect, test } from 'vitest';
import { readRecipients, readTyped, withPasted } from './recipient-input.ts';

test('reads names, angle brackets and bare addresses from one line', () => {
  expect(
    readRecipients('"Wilk, Tomasz" <tomasz@wilk.example>, karl@oldmail.example; Ines <ines@a.example>'),
  ).toEqual([
    { name: 'Wilk, Tomasz', address: 'tomasz@wilk.example', isValid: true },
    { name: '', address: 'karl@oldmail.example', isValid: true },
    { name: 'Ines', address: 'ines@a.example', isValid: true },
  ]);
});

test('a pasted column becomes one recipient per line', () => {
  expect(readRecipients('a@a.example\r\nb@b.example\n\n').map(found => found.address)).toEqual([
    'a@a.example',
    'b@b.example',
  ]);
});

test('an invalid address is kept as typed and marked as invalid', () => {
  expect(readRecipients('tomasz at wilk')).toEqual([{ name: '', address: 'tomasz at wilk', isValid: false }]);
});

test('typing finishes an entry only at a separator', () => {
  expect(readTyped('ines@a.exa')).toEqual({ recipients: [], rest: 'ines@a.exa' });
  const typed = readTyped('ines@a.example, ka');
  expect(typed.recipients.map(found => found.address)).toEqual(['ines@a.example']);
  expect(typed.rest).toBe('ka');
});

test('a comma inside a quoted name does not finish it', () => {
  expect(readTyped('"Wilk, To')).toEqual({ recipients: [], rest: '"Wilk, To' });
});

test('an unclosed quotation mark ends at the end of its line', () => {
  expect(readRecipients('"a\nb@b.example').at(-1)).toEqual({
    name: '',
    address: 'b@b.example',
    isValid: true,
  });
});

test('a word before a pasted address does not become part of it, but a domain pasted after a name does', () => {
  expect(readRecipients(withPasted('ann', 'bob@b.example', '')).map(one => one.address)).toEqual([
    'bob@b.example',
  ]);
  expect(readRecipients(withPasted('a@a.example', 'b@b.example', 'c@c.example'))).toHaveLength(3);
  expect(withPasted('ann', '@b.example', '')).toBe('ann@b.example');
});

test('"Last, First" is not finished by its comma', () => {
  expect(readTyped('Müller, Jü')).toEqual({ recipients: [], rest: 'Müller, Jü' });
});

import { compileMessage } from '@lingui/message-utils/compileMessage';
import { expect, test } from 'vitest';
import { formatMessage } from './message-format.ts';

test('arguments are filled in, and a missing one stays visible', () => {
  expect(formatMessage('Back to {folder}', { folder: 'Inbox' }, 'en')).toBe('Back to Inbox');
  expect(formatMessage('Back to {folder}', {}, 'en')).toBe('Back to {folder}');
  expect(formatMessage("Don't ask again", {}, 'en')).toBe("Don't ask again");
});

test('plurals follow the language, exact numbers win, and numbers are grouped', () => {
  const text = '{count, plural, =0 {No mails} one {# mail} other {# mails}} in {folder}';
  expect(formatMessage(text, { count: 0, folder: 'x' }, 'en')).toBe('No mails in x');
  expect(formatMessage(text, { count: 1, folder: 'x' }, 'en')).toBe('1 mail in x');
  expect(formatMessage(text, { count: 2400, folder: 'x' }, 'en')).toBe('2,400 mails in x');
  const arabic = '{n, plural, zero {z} one {o} two {t} few {f #} many {m #} other {x #}}';
  expect([0, 1, 2, 3, 11, 100].map(n => formatMessage(arabic, { n }, 'ar-u-nu-latn'))).toEqual([
    'z',
    'o',
    't',
    'f 3',
    'm 11',
    'x 100',
  ]);
});

test('selects and plurals can be nested', () => {
  const text = '{who, select, me {You have {n, plural, one {# key} other {# keys}}} other {They have {n}}}';
  expect(formatMessage(text, { who: 'me', n: 2 }, 'en')).toBe('You have 2 keys');
  expect(formatMessage(text, { who: 'all', n: 2 }, 'en')).toBe('They have 2');
});

test('an argument that looks like a message is not parsed', () => {
  expect(formatMessage('From {name}', { name: '{count, plural, other {#}}' }, 'en')).toBe(
    'From {count, plural, other {#}}',
  );
});

test('parsing a broken message terminates', () => {
  for (const text of ['{', '{a', '{a, plural,', '{a, plural, one', '{a, plural, one {', '}', 'a } b'])
    expect(typeof formatMessage(text, { a: 1 }, 'en')).toBe('string');
});

test('messages are parsed as ICU parsers do', () => {
  // The shape of a message as the library sees it: texts and argument names in order.
  expect(compileMessage('{n, plural, =0 {None} one {# mail of {who}} other {# mails}} here')).toEqual([
    ['n', 'plural', { 0: ['None'], one: ['#', ' mail of ', ['who']], other: ['#', ' mails'] }],
    ' here',
  ]);
});

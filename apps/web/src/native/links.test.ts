import { expect, test } from 'vitest';
import { readLink } from './links.ts';

const read = (text: string, isFileShared = false) => readLink(text, 'mail.example', isFileShared);
const hash = (text: string) => ({ kind: 'hash', hash: text });

test('links with /email/, /calendar/ and /security lead to the hash targets, in our scheme and at our server', () => {
  for (const start of [
    'keyfold://',
    'keyfold:///',
    'keyfold://open/',
    'https://mail.example/',
    'https://mail.example/app/',
  ]) {
    expect(read(`${start}email/01-ab_C`)).toEqual(hash('#/email/01-ab_C'));
    expect(read(`${start}calendar/uid%40there`)).toEqual(hash('#/calendar/event/uid%40there'));
    expect(read(`${start}calendar/event/uid%40there`)).toEqual(hash('#/calendar/event/uid%40there'));
    expect(read(`${start}security`)).toEqual(hash('#/security'));
    expect(read(`${start}security/sessions`)).toEqual(hash('#/security'));
  }
  expect(read('https://mail.example/#/email/5')).toEqual(hash('#/email/5'));
  expect(read('keyfold://x/#/calendar/event/u')).toEqual(hash('#/calendar/event/u'));
});

test('anything else of ours, and what is damaged, leads to the inbox', () => {
  for (const rest of [
    '',
    'zzz',
    'inbox',
    'email',
    'email/',
    'email/%E0%A4%A',
    'email/%00',
    `email/${'a'.repeat(1001)}`,
    'calendar/event',
  ])
    expect(read(`keyfold://${rest}`), rest).toEqual(hash('#/inbox'));
});

test('what an id holds never becomes another part of the address', () => {
  expect(read('keyfold://email/..%2F..%2Fconfig%3Fx%23y')).toEqual(hash('#/email/..%2F..%2Fconfig%3Fx%23y'));
  expect(read('keyfold://email/5?m=6#z')).toEqual(hash('#/email/5'));
  expect(read('https://mail.example/app/../email/5')).toEqual(hash('#/email/5'));
});

test('another server is named and not opened, a port and a lookalike too', () => {
  expect(read('https://evil.example/email/5')).toEqual({ kind: 'foreign', host: 'evil.example' });
  expect(read('https://mail.example:444/email/5')).toEqual({ kind: 'foreign', host: 'mail.example:444' });
  expect(read('https://mail.example@evil.example/email/5')).toEqual({
    kind: 'foreign',
    host: 'evil.example',
  });
});

test('what no program may open here is dropped', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'http://mail.example/email/5',
    'content://x/y',
    'file:///data/secret',
    'blob:https://mail.example/5',
    'keyfold',
    '',
    '//mail.example/email/5',
  ])
    expect(read(text), text).toBeNull();
});

test('a scheme that is spelt so that the shell cannot know it is dropped', () => {
  const rest = '://letter?to=a%40x.example&file=content%3A%2F%2Fapp.keyfold.mail.fileprovider%2Fown';
  expect(read(`keyfold-share${rest}`)?.kind).toBe('letter');
  for (const text of [
    ' keyfold-share',
    '\nkeyfold-share',
    '\u0000keyfold-share',
    '\u001fkeyfold-share',
    'keyfold-\tshare',
    'keyfold-share\r',
    '\u00a0keyfold-share',
  ])
    expect(read(`${text}${rest}`), JSON.stringify(text)).toBeNull();
  // Blanks behind the scheme are the other program's business.
  expect(read('mailto:a@x.example?subject=Hi there')?.kind).toBe('letter');
});

test('what is shared becomes a letter with its people, words and files, and nothing else', () => {
  expect(
    read(
      'keyfold-share://letter?to=a%40x.example&to=b%40x.example&cc=c%40x.example&subject=Hi%20%26%20ho&text=One%0ATwo&file=content%3A%2F%2Fphotos%2F1&file=file%3A%2F%2F%2Fdata%2Fown',
    ),
  ).toEqual({
    kind: 'letter',
    mailto: 'mailto:a%40x.example,b%40x.example?cc=c%40x.example&subject=Hi%20%26%20ho&body=One%0ATwo',
    files: ['content://photos/1'],
  });
  expect(read('mailto:a@x.example?subject=Hi')).toEqual({
    kind: 'letter',
    mailto: 'mailto:a@x.example?subject=Hi',
    files: [],
  });
  expect(read('file:///private/Inbox/a.pdf', true)).toEqual({
    kind: 'letter',
    mailto: 'mailto:',
    files: ['file:///private/Inbox/a.pdf'],
  });
});

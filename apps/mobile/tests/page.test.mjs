// The parts of the shell's startup that need no page: server addresses, events, strings.
import { expect, test } from 'vitest';
import { readEvent } from '../page/events.js';
import { readServerAddress } from '../page/server-address.js';
import { chooseTexts } from '../page/texts.js';

test.each([
  ['mail.example.org', 'https://mail.example.org'],
  ['  MAIL.Example.org/app/signin?x=1#y ', 'https://mail.example.org'],
  ['https://mail.example.org:8443', 'https://mail.example.org:8443'],
  // Plain http is allowed only for the user's own machine.
  ['http://mail.example.org', 'https://mail.example.org'],
  ['http://mail.example.org:8000', 'https://mail.example.org:8000'],
  ['http://192.168.1.5:8000', 'https://192.168.1.5:8000'],
  ['http://nas', 'https://nas'],
  ['http://localhost.evil.example', 'https://localhost.evil.example'],
  ['http://10.0.2.2:8000', 'http://10.0.2.2:8000'],
  ['http://localhost:8000', 'http://localhost:8000'],
  ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000'],
  ['http://[::1]:8000', 'https://[::1]:8000'],
  ['https://localhost', 'https://localhost'],
])('%s is read as %s', (text, origin) => {
  expect(readServerAddress(text)).toBe(origin);
});

test.each([
  '',
  ' ',
  'not an address',
  'ftp://mail.example.org',
  'javascript://x',
  'https://me:secret@mail.example.org',
  'https://',
  'x'.repeat(400),
])('%j is not a server address', text => {
  expect(readServerAddress(text)).toBeNull();
});

test('an event is parsed from its lines, and a comment is ignored', () => {
  expect(readEvent('event: mail\ndata: {"version":5}')).toEqual({ type: 'mail', data: '{"version":5}' });
  expect(readEvent('data: a\ndata:b')).toEqual({ type: 'message', data: 'a\nb' });
  expect(readEvent(': still here')).toBeNull();
  expect(readEvent('retry: 1000')).toBeNull();
});

test('the texts follow the device language, and every language has all of them', () => {
  const words = Object.keys(chooseTexts(['en']).texts);
  for (const code of ['ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-BR', 'zh-Hans']) {
    const { texts, code: chosen, isRightToLeft } = chooseTexts(['sv', code, 'en']);
    expect(chosen).toBe(code);
    expect(Object.keys(texts)).toEqual(words);
    expect(texts.absent).toContain('{address}');
    expect(isRightToLeft).toBe(code === 'ar');
  }
  expect(chooseTexts(['sv', 'fr-CH']).code).toBe('fr');
  expect(chooseTexts(['DE-AT']).code).toBe('de');
  const codes = ['pt', 'pt-PT', 'zh-CN', 'zh-TW', 'not a tag'].map(tag => chooseTexts([tag]).code);
  expect(codes).toEqual(['pt-BR', 'pt-BR', 'zh-Hans', 'en', 'en']);
  expect(chooseTexts([])).toMatchObject({ code: 'en', isRightToLeft: false });
  expect(chooseTexts(['ar']).isRightToLeft).toBe(true);
});

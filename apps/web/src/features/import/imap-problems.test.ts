import { serverImportsCalls } from '@keyfold/contract/calls/server-imports';
import { CallError } from '@keyfold/contract/client';
import { expect, test } from 'vitest';
import { emptyLogin, tidyLogin } from './imap-login.ts';
import { firstField, problemsOf, problemsOfError } from './imap-problems.ts';

const whole = { ...emptyLogin, user: 'ann', password: 'x', host: 'imap.old.test' };

test('what is missing or cannot be is told at its field, before anything is asked', () => {
  expect(problemsOf(whole)).toEqual({});
  expect(Object.keys(problemsOf(emptyLogin))).toEqual(['user', 'password', 'host']);
  const wrong = problemsOf({ ...whole, host: 'not a host', port: 'abc' });
  expect(wrong.host).toMatch(/no name of a mail server/);
  expect(wrong.port).toMatch(/number between 1 and 65535/);
  expect(firstField(wrong)).toBe('host');
});

test('a pasted address gives its host, and its port with the encryption that goes by it', () => {
  expect(tidyLogin({ ...whole, host: 'https://imap.gmail.com/' })).toEqual({
    ...whole,
    host: 'imap.gmail.com',
  });
  expect(tidyLogin({ ...whole, host: 'imap.old.test:143' })).toMatchObject({
    host: 'imap.old.test',
    port: '143',
    security: 'starttls',
  });
  const nonsense = { ...whole, host: 'not a host' };
  expect(tidyLogin(nonsense)).toBe(nonsense);
});

const refusal = (status: number, code: string, path?: string) =>
  new CallError(serverImportsCalls.imap_folders, {
    status,
    code,
    message: 'Why',
    ...(path === undefined ? {} : { problems: [{ path, message: 'Invalid' }] }),
  });

test('what the server says stands at the field that it is about', () => {
  expect(problemsOfError(null)).toEqual({ fields: {}, other: null });
  expect(problemsOfError(refusal(422, 'imap_unknown_host'))).toEqual({
    fields: { host: 'Why' },
    other: null,
  });
  expect(problemsOfError(refusal(422, 'imap_port_refused')).fields).toEqual({ port: 'Why' });
  expect(problemsOfError(refusal(422, 'imap_login_refused')).fields).toEqual({ password: 'Why' });
  expect(problemsOfError(refusal(422, 'imap_unreachable')).fields.host).toMatch(/^Why\. .*port right\?$/);
  expect(problemsOfError(refusal(422, 'imap_too_large'))).toEqual({ fields: {}, other: 'Why' });
});

test('a malformed request is never told as one', () => {
  const told = problemsOfError(refusal(400, 'malformed', 'password'));
  expect(told).toEqual({ fields: { password: 'This cannot be a password there' }, other: null });
  expect(problemsOfError(refusal(400, 'malformed', 'folders.0')).other).toBe('Something failed');
});

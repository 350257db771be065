import { serverImportsCalls } from '@keyfold/contract/calls/server-imports';
import { CallError } from '@keyfold/contract/client';
import { expect, test } from 'vitest';
import { emptyLogin, tidyLogin } from './imap-login.ts';
import { firstField, problemsOf, problemsOfError } from './imap-problems.ts';

const whole = { ...emptyLogin, user: 'ann', password: 'x', host: 'imap.old.test' };

test('missing and invalid values are reported at their fields before any request', () => {
  expect(problemsOf(whole)).toEqual({});
  expect(Object.keys(problemsOf(emptyLogin))).toEqual(['user', 'password', 'host']);
  const wrong = problemsOf({ ...whole, host: 'not a host', port: 'abc' });
  expect(wrong.host).toMatch(/Enter a server name/);
  expect(wrong.port).toMatch(/port between 1 and 65535/);
  expect(firstField(wrong)).toBe('host');
});

test('a pasted address sets the host, and its port with the matching encryption', () => {
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

test('a server error is shown at the field that it concerns', () => {
  expect(problemsOfError(null)).toEqual({ fields: {}, other: null });
  expect(problemsOfError(refusal(422, 'imap_unknown_host'))).toEqual({
    fields: { host: 'Why' },
    other: null,
  });
  expect(problemsOfError(refusal(422, 'imap_port_refused')).fields).toEqual({ port: 'Why' });
  expect(problemsOfError(refusal(422, 'imap_login_refused')).fields).toEqual({ password: 'Why' });
  expect(problemsOfError(refusal(422, 'imap_unreachable')).fields.host).toBe(
    'Couldn’t reach the provider’s mail server. Check the server name and port.',
  );
  expect(problemsOfError(refusal(422, 'imap_too_large'))).toEqual({ fields: {}, other: 'Why' });
});

test('a malformed request is shown as an invalid field or a general failure', () => {
  const told = problemsOfError(refusal(400, 'malformed', 'password'));
  expect(told).toEqual({ fields: { password: 'This isn’t a valid password' }, other: null });
  expect(problemsOfError(refusal(400, 'malformed', 'folders.0')).other).toBe('Something failed');
});

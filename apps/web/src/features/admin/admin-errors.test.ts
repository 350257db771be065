// The texts of docs/spec-map.md 8 for calls of the console, word for word.
import { api } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { expect, test } from 'vitest';
import { type AdminCall, actionFailureText, adminErrorText, loadFailureText } from './admin-errors.ts';

const reply = (status: number, code: string, message = 'Their words', more: object = {}) =>
  new CallError(api.admin.stats, { status, code, message, ...more });

test.each<[AdminCall, string, string]>([
  ['stats', 'Insufficient permissions to view admin statistics', 'Failed to retrieve admin statistics'],
  ['users', 'Insufficient permissions to view user list', 'Failed to retrieve user list'],
  ['grant', 'Insufficient permissions to grant admin roles', 'Failed to grant admin role'],
  ['revoke', 'Insufficient permissions to revoke admin roles', 'Failed to revoke admin role'],
  ['suspend', 'Insufficient permissions to suspend users', 'Failed to suspend user'],
  ['unsuspend', 'Insufficient permissions to unsuspend users', 'Failed to unsuspend user'],
  ['plan', 'Insufficient permissions to change plan', 'Failed to set plan'],
])('%s', (call, forbidden, failed) => {
  expect(adminErrorText(call, reply(403, 'forbidden'))).toBe(forbidden);
  expect(adminErrorText(call, reply(500, 'failed'))).toBe(failed);
  expect(actionFailureText(call, reply(500, 'failed'))).toBe(failed);
  expect(actionFailureText(call, reply(422, 'last_super'))).toBe(`${failed}: Their words`);
  expect(actionFailureText(call, {})).toBe(`${failed}: Unknown error`);
});

test('a rate limit states the wait, except when granting a role', () => {
  const error = reply(429, 'rate_limited', 'Rate limited. Please try again later.', { retryAfterSeconds: 7 });
  expect(adminErrorText('suspend', error)).toBe('Rate limited. Try again in 7 seconds.');
  expect(adminErrorText('grant', error)).toBe('Rate limited. Please try again later.');
});

test('a load that got no response names what failed, otherwise the server’s text is shown', () => {
  expect(loadFailureText('stats', reply(0, 'no_answer', 'Failed to connect to the server'))).toBe(
    'Failed to load admin statistics: Failed to connect to the server',
  );
  expect(loadFailureText('users', new Error('Failed to get CSRF token'))).toBe(
    'Failed to load users: Failed to get CSRF token',
  );
  expect(loadFailureText('users', reply(500, 'failed'))).toBe('Failed to load users');
  expect(loadFailureText('users', reply(503, 'unavailable'))).toBe('Their words');
});

test('a rejected field shows its own message', () => {
  const problems = [{ path: 'reason', message: 'Reason must be at least 5 characters' }];
  expect(adminErrorText('suspend', reply(400, 'malformed', 'Malformed', { problems }))).toBe(
    'Reason must be at least 5 characters',
  );
});

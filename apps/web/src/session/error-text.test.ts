import { api } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { expect, test } from 'vitest';
import { callErrorText } from './error-text.ts';

test('a rate limit names the seconds to wait', () => {
  const error = new CallError(api.auth.login, {
    status: 429,
    code: 'rate_limited',
    message: 'x',
    retryAfterSeconds: 12,
  });
  expect(callErrorText(error)).toBe('Rate limited. Try again in 12 seconds.');
});

test('an error without words gets the generic ones', () => {
  expect(callErrorText(new Error(''))).toBe('Something failed');
  expect(callErrorText('odd')).toBe('Something failed');
  expect(callErrorText(new Error('Failed to connect to the server'))).toBe('Failed to connect to the server');
});

import { api } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { ERRORS } from '@keyfold/contract/errors';
import { afterEach, expect, test } from 'vitest';
import { setLanguage } from '../../lib/language.ts';
import ar from '../../locales/ar.json' with { type: 'json' };
import de from '../../locales/de.json' with { type: 'json' };
import es from '../../locales/es.json' with { type: 'json' };
import fr from '../../locales/fr.json' with { type: 'json' };
import { callErrorText } from './error-text.ts';

afterEach(() => setLanguage('en', {}));

test('a rate-limit error names the seconds to wait', () => {
  const error = new CallError(api.sign_in.login, {
    status: 429,
    code: 'rate_limited',
    message: 'x',
    retryAfterSeconds: 12,
  });
  expect(callErrorText(error)).toBe('Rate limited. Try again in 12 seconds.');
});

test('a suspended account sees the reason on every sign-in path', () => {
  for (const call of [
    api.sign_in.login,
    api.recovery.recover,
    api.auth.restore,
    api.mfa.code,
    api.biometrics.enter,
  ]) {
    const { status, message } = ERRORS.account_suspended;
    const problems = [{ path: 'reason', message: 'It sent spam' }];
    const error = new CallError(call, { status, code: 'account_suspended', message, problems });
    expect(callErrorText(error)).toBe('This account is suspended. Reason: It sent spam');
  }
});

test('an error without a message gets the generic text', () => {
  expect(callErrorText(new Error(''))).toBe('Something failed');
  expect(callErrorText('odd')).toBe('Something failed');
  expect(callErrorText(new Error('Failed to connect to the server'))).toBe('Failed to connect to the server');
});

test('a message refused as spam has its own error text in every language', () => {
  const { status, message } = ERRORS.spam_refused;
  const error = new CallError(api.sending.send_private, { status, code: 'spam_refused', message });
  expect(callErrorText(error)).toBe(message);
  for (const [language, texts] of [
    ['ar', ar],
    ['de', de],
    ['es', es],
    ['fr', fr],
  ] as const) {
    setLanguage(language, texts);
    const text = callErrorText(error);
    expect(text, language).not.toBe(message);
    expect(text, language).toMatch(/Spam|spam|مزعج/);
  }
});

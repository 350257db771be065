import { expect, test } from 'vitest';
import { checkSignup, codeOfLink, passwordRules, splitTypedAddress } from './signup-rules.ts';

const values = {
  name: 'Mara Keller',
  username: 'mara',
  domain: 'keyfold.test',
  password: 'Correct1horse',
  affiliateCode: '',
};

test('a complete form has no errors', () => {
  expect(checkSignup(values)).toEqual({});
});

test('shows only the first failing password rule, with its exact text', () => {
  expect(checkSignup({ ...values, password: 'a' }).password).toBe(
    'Password is too short, minimal length is 8',
  );
  expect(checkSignup({ ...values, password: `aA1${'x'.repeat(62)}` }).password).toBe(
    'Password is too short, maximum length is 64',
  );
  expect(checkSignup({ ...values, password: 'correcthorse' }).password).toBe(
    "Password doesn't contain an uppercase letter",
  );
  expect(checkSignup({ ...values, password: 'CORRECTHORSE' }).password).toBe(
    "Password doesn't contain a lowercase letter",
  );
  expect(checkSignup({ ...values, password: 'Correcthorse' }).password).toBe(
    "Password doesn't contain a digit",
  );
});

test('ticks each of the four live rules on its own', () => {
  expect(passwordRules('correcthorse').map(rule => rule.met)).toEqual([true, false, true, false]);
  expect(passwordRules('').map(rule => rule.met)).toEqual([false, false, false, false]);
});

test('rejects blank names and invalid usernames', () => {
  expect(checkSignup({ ...values, name: '  ', username: '' })).toHaveProperty('name');
  expect(checkSignup({ ...values, username: 'mara@x' })).toHaveProperty('username');
  expect(checkSignup({ ...values, username: '.mara' })).toHaveProperty('username');
  expect(checkSignup({ ...values, username: 'mara.keller-1' })).toEqual({});
});

test('splits a full address at a domain of the service and leaves other text alone', () => {
  const domains = ['keyfold.test', 'other.test'];
  expect(splitTypedAddress(' ann@Other.test', domains)).toEqual({ username: 'ann', domain: 'other.test' });
  for (const typed of ['ann', 'ann@', '@keyfold.test', 'ann@elsewhere.test'])
    expect(splitTypedAddress(typed, domains)).toBeNull();
});

test('requires an invitation code where one is needed, and reads it from a link', () => {
  expect(checkSignup(values, true)).toHaveProperty('affiliateCode');
  expect(checkSignup({ ...values, affiliateCode: '7K2M' }, true)).toEqual({});
  expect(codeOfLink('#code=7K2M-4QXN')).toBe('7K2M-4QXN');
  expect(codeOfLink('')).toBe('');
  expect(codeOfLink('#/inbox')).toBe('');
});

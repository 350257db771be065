// Authenticator app codes: test vectors of RFC 6238, accepted time steps, and the sealed secret.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { codeAt } from '../../../../tests/harness/second-factor.ts';
import { createMasterKey } from '../../../base/master-key.ts';
import { waitAfter } from './codes.ts';
import { findStep, isTotpShaped, makeSecret, openSecret, sealSecret, showSecret } from './totp.ts';

const RFC_SECRET = Buffer.from('12345678901234567890');
/** Seconds and the last six digits of RFC 6238, appendix B, SHA-1. */
const KNOWN = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('a code', () => {
  test.each(KNOWN)('at %i seconds matches RFC 6238', (seconds, code) => {
    const time = new Date(seconds * 1000);
    expect(findStep(RFC_SECRET, code, time)).toBe(Math.floor(seconds / 30));
    expect(codeAt(showSecret(RFC_SECRET, 'a@b').secret, time)).toBe(code);
  });

  test('is accepted one step before and after its own, but no further', () => {
    const time = new Date(1_234_567_890_000);
    const step = Math.floor(1_234_567_890 / 30);
    const { secret } = showSecret(RFC_SECRET, 'a@b');
    const found = [-2, -1, 0, 1, 2].map(aside => findStep(RFC_SECRET, codeAt(secret, time, aside), time));
    expect(found).toEqual([null, step - 1, step, step + 1, null]);
  });

  test('may contain a space; any other format is rejected', () => {
    const time = new Date(59_000);
    expect(findStep(RFC_SECRET, '287 082', time)).toBe(1);
    expect(isTotpShaped('287 082')).toBe(true);
    for (const text of ['28708', '2870821', '28708a', '٢٨٧٠٨٢', '']) {
      expect(isTotpShaped(text), text).toBe(false);
      expect(findStep(RFC_SECRET, text, time), text).toBeNull();
    }
  });
});

test('a secret has 160 bits, is shown in base32, and its URI names service and address', () => {
  const secret = makeSecret();
  expect(secret).toHaveLength(20);
  expect(makeSecret().equals(secret)).toBe(false);
  const shown = showSecret(secret, 'ann@keyfold.test');
  expect(shown.secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(shown.uri);
  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toContain('Keyfold:ann@keyfold.test');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: shown.secret,
    issuer: 'Keyfold',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

test('a sealed secret opens only for its user', () => {
  const masterKey = createMasterKey(randomBytes(32));
  const secret = makeSecret();
  const sealed = sealSecret(masterKey, 'ann', secret);
  expect(sealed.includes(secret)).toBe(false);
  expect(openSecret(masterKey, 'ann', sealed)).toEqual(secret);
  expect(() => openSecret(masterKey, 'bob', sealed)).toThrow();
  expect(() => openSecret(createMasterKey(randomBytes(32)), 'ann', sealed)).toThrow();
});

test('each five wrong codes in a row double the wait, up to six hours', () => {
  expect([0, 1, 4, 5, 6, 10, 15].map(waitAfter)).toEqual([0, 0, 0, 60_000, 0, 120_000, 240_000]);
  expect(waitAfter(500)).toBe(6 * 3_600_000);
});

// The exact texts of docs/spec-map.md 5, 8, and the mapping of internal failures to them.

import { expect, it } from 'vitest';
import { CRYPTO_ERRORS, CryptoError, failAs } from './errors.ts';

it('uses the error texts of the specification word for word', () => {
  expect(CRYPTO_ERRORS).toMatchObject({
    missing_second_stage_key_bytes: 'Missing second stage key bytes',
    empty_message: 'Trying to encrypt empty message',
    missing_salt: 'Missing salt',
    missing_second_stage_key: 'Missing second stage key',
    decrypt_failed: 'Failed to decrypt message',
    decrypt_self_failed: 'Failed to decrypt message for self',
    encrypt_failed: 'Failed to encrypt message',
    encrypt_self_failed: 'Failed to encrypt message for self',
    dh_failed: 'Failed to generate dh shared secret',
  });
});

it('a crypto error has a name, a code, a message and a cause', () => {
  const cause = new Error('inner');
  const error = new CryptoError('decrypt_failed', cause);
  expect([error.name, error.code, error.message, error.cause]).toEqual([
    'CryptoError',
    'decrypt_failed',
    'Failed to decrypt message',
    cause,
  ]);
  expect('cause' in new CryptoError('missing_salt')).toBe(false);
});

it('failAs turns any failure into the given error and keeps the cause', async () => {
  const cause = new RangeError('too short');
  const failed = failAs('decrypt_failed', () => Promise.reject(cause));
  await expect(failed).rejects.toMatchObject({ code: 'decrypt_failed', cause });
});

it('failAs passes validation errors and the listed codes through unchanged', async () => {
  const missing = new CryptoError('missing_salt');
  await expect(failAs('decrypt_failed', () => Promise.reject(missing))).rejects.toBe(missing);
  const dh = new CryptoError('dh_failed');
  await expect(failAs('encrypt_failed', () => Promise.reject(dh), ['dh_failed'])).rejects.toBe(dh);
  await expect(failAs('decrypt_failed', () => Promise.reject(dh))).rejects.toMatchObject({ cause: dh });
});

it('failAs does not wrap an error in one with the same code', async () => {
  const error = new CryptoError('decrypt_failed');
  await expect(failAs('decrypt_failed', () => Promise.reject(error))).rejects.toBe(error);
});

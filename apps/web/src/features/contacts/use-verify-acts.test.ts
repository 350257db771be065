// What the toast says after the keys of a person, or their absence, were accepted.
import { expect, test, vi } from 'vitest';
import type { KnownKeys } from '../../session/trust/recipient-keys.ts';

vi.mock('./changes.ts', () => ({}));
const { acceptedText } = await import('./use-verify-acts.ts');

test('names the accepted key of a person who has one', () => {
  const known = { dh_public: 'x', digest: 'd' } as unknown as KnownKeys;
  expect(acceptedText('Bob', known)).toBe('Accepted new key for Bob');
});

test('does not claim a new key for a person who has none', () => {
  const known = { plaintext: true } as KnownKeys;
  expect(acceptedText('Bob', known)).toBe('Messages to Bob will be sent without encryption');
});

import { expect, test } from 'vitest';
import type { KnownKeys } from '../../../session/trust/recipient-keys.ts';
import type { Addressee, DraftState } from './draft-state.ts';
import { findObjection, waitFor } from './waiting-drafts.ts';

const address = 'bob@keyfold.test';
const withKey = (digest: string) => ({ email: address, digest }) as KnownKeys;
const outside: KnownKeys = { email: address, plaintext: true };

const messageTo = (keys: Addressee['keys']) =>
  ({
    to: [{ person: { name: '', address }, keys, isInvalid: false }],
    cc: [],
    bcc: [],
    files: [],
    html: null,
    quote: null,
    phase: 'writing',
  }) as unknown as DraftState;

const objection = (before: Addressee['keys'], now: Addressee['keys']) =>
  findObjection(messageTo(now), waitFor(messageTo(before), { copies: 1, at: null }));

test('what was agreed to goes by itself', () => {
  expect(objection(withKey('a'), withKey('a'))).toBeNull();
  expect(objection(outside, outside)).toBeNull();
});

test('who has keys by now gets it encrypted, whether they were looked up before or not', () => {
  expect(objection(outside, withKey('a'))).toBeNull();
  expect(objection(null, withKey('a'))).toBeNull();
});

test('nobody gets it plain who was not to get it so', () => {
  expect(objection(withKey('a'), outside)).toMatch(/gets no end-to-end encryption/);
  expect(objection(null, outside)).toMatch(/gets no end-to-end encryption/);
});

test('what was written to an address that nobody has is looked at first, however it was to go', () => {
  const nobodys: KnownKeys = { ...outside, unknown: true };
  expect(objection(null, nobodys)).toMatch(/^Nobody has the address bob@keyfold.test/);
  expect(objection(outside, nobodys)).toMatch(/^Nobody has the address/);
});

test('another key is asked about', () => {
  expect(objection(withKey('a'), withKey('b'))).toMatch(/has changed/);
});

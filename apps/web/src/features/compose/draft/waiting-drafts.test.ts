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

test('a message to an unchanged recipient is sent without review', () => {
  expect(objection(withKey('a'), withKey('a'))).toBeNull();
  expect(objection(outside, outside)).toBeNull();
});

test('a message to a recipient who has keys by now is sent encrypted, without review', () => {
  expect(objection(outside, withKey('a'))).toBeNull();
  expect(objection(null, withKey('a'))).toBeNull();
});

test('a message that was meant to be encrypted is never sent plain', () => {
  expect(objection(withKey('a'), outside)).toMatch(/doesn’t support end-to-end encryption/);
  expect(objection(null, outside)).toMatch(/doesn’t support end-to-end encryption/);
});

test('a message to a nonexistent address is held for review', () => {
  const nobodys: KnownKeys = { ...outside, unknown: true };
  expect(objection(null, nobodys)).toMatch(/^The address bob@keyfold.test doesn’t exist/);
  expect(objection(outside, nobodys)).toMatch(/doesn’t exist/);
});

test('a message to a recipient with a changed key is held for review', () => {
  expect(objection(withKey('a'), withKey('b'))).toMatch(/has changed/);
});

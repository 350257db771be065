import { expect, test } from 'vitest';
import { addressesOf, followsAddress, signatureOf, withAddresses } from './address-signatures.ts';

const work = { id: 'w', is_default: true, plain_text: 'Mara, at work' };
const home = { id: 'h', is_default: false, plain_text: 'Mara\n' };
const all = [work, home];

test('an address has its own signature, others the default, and a deleted signature is ignored', () => {
  const choices = { 'mara@home.test': 'h', 'old@home.test': 'gone' };
  expect(signatureOf('Mara@Home.test', all, choices)).toBe(home);
  expect(signatureOf('mara@work.test', all, choices)).toBe(work);
  expect(signatureOf('old@home.test', all, choices)).toBe(work);
  expect(signatureOf('mara@work.test', [home], {})).toBeNull();
});

test('an address has at most one signature, and loses it when unchecked', () => {
  const choices = withAddresses({ 'a@x.test': 'w', 'b@x.test': 'h' }, 'h', ['A@x.test']);
  expect(choices).toEqual({ 'a@x.test': 'h' });
  expect(addressesOf(choices, 'h')).toEqual(['a@x.test']);
  expect(withAddresses(choices, 'h', [])).toEqual({});
});

test('a signature chosen for the message, or none, stays when From changes', () => {
  expect(followsAddress({ signatureId: 'w', text: '' }, work)).toBe(true);
  expect(followsAddress({ signatureId: 'h', text: '' }, work)).toBe(false);
  expect(followsAddress({ signatureId: null, text: 'Hello' }, work)).toBe(false);
  expect(followsAddress({ signatureId: null, text: 'Hello' }, null)).toBe(true);
});

test('the signature of a reopened draft is recognized by its text', () => {
  expect(followsAddress({ signatureId: null, text: 'Hello\n\n-- \nMara, at work\n' }, work)).toBe(true);
  expect(followsAddress({ signatureId: null, text: 'Hello\n\n-- \nMara, changed' }, work)).toBe(false);
  expect(followsAddress({ signatureId: null, text: 'Hello\n\n-- \nMara' }, home)).toBe(true);
  expect(followsAddress({ signatureId: null, text: 'Hello\n\n-- \nMara' }, null)).toBe(false);
});

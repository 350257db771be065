// What counts as known about a sender: nothing that the server says about the user's contacts.
import type { User } from '@keyfold/contract';
import { expect, test } from 'vitest';
import { emptyBook } from '../../../../session/trust/pins.ts';
import type { WholeMail } from '../../state/queries.ts';
import { proofOf } from './use-sender-proofs.ts';

test('keys and verifications from the server prove nothing, and only those in the address book count', () => {
  const user = {
    email: 'alice@keyfold.test',
    addresses: [],
    domains: [],
    contacts: [{ email: 'bob@keyfold.test', dh_public: 'FALSE', verified: true }],
  } as unknown as User;
  const whole = {
    content: { parsed: { from: { name: '', address: 'Bob@keyfold.test' }, replyTo: [] } },
  } as unknown as WholeMail;
  const known = new Map([['bob@keyfold.test', 'KEY']]);
  const ownKeys = { keyId: 'k', dhPublicB64: 'OWN' };
  const proof = proofOf(whole, user, emptyBook, known, ownKeys);
  expect(proof).toMatchObject({ senderKeyB64: 'KEY', isFromSelf: false, pinned: null, isContact: false });
  const bob = {
    email: 'bob@keyfold.test',
    name: '',
    note: '',
    isContact: true,
    former: ['OLD'],
    mismatchAt: null,
  };
  const pin = { dh: 'KEY', digest: '', at: 0, verified: { how: 'compared' as const, at: 0 } };
  const book = { ...emptyBook, people: [{ ...bob, pin }] };
  expect(proofOf(whole, user, book, known, ownKeys)).toMatchObject({
    pinned: { dhPublicB64: 'KEY', isVerified: true, formerB64: ['OLD'] },
    isContact: true,
  });
});

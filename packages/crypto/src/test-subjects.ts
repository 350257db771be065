// Fixtures shared by this package's tests: identities, a sealed message, and single-bit damage.
// Only tests import it.

import { decodeBase64, encodeBase64 } from './bytes.ts';
import { createMessageKey, type MessageSummary, sealMessage } from './message.ts';
import { createIdentity, type Identity } from './vault.ts';

/** A summary with every field in use. */
export const summary: MessageSummary = {
  subject: 'Grüße 👋',
  from: { name: 'Alice', address: 'alice@x.test' },
  to: [{ name: 'Bob', address: 'bob@x.test' }],
  cc: [{ name: '', address: 'carol@x.test' }],
  date: '2026-11-20T10:00:00.000Z',
  snippet: 'hello',
  attachments: 2,
  invite: true,
};

/**
 * Returns a message from `sender` to `reader` as the reader receives it, and the sender's own copy.
 */
export async function makeMail(payload: Uint8Array, sender: Identity, reader: Identity) {
  const messageKey = createMessageKey();
  const sealed = await sealMessage({
    payload,
    messageKey,
    recipients: [{ email: 'bob@x.test', ...reader }],
    sender,
    self: { email: 'alice@x.test', ...sender },
    summary,
  });
  const entry = sealed.recipients[0];
  if (
    entry === undefined ||
    !('mlkem_ciphertext' in entry) ||
    sealed.self === null ||
    sealed.summary === null
  )
    throw new Error('Unexpected entries');
  const shared = { body: sealed.message_encrypted, summary: sealed.summary, binding: sealed.binding };
  return {
    messageKey,
    sealed,
    received: {
      ...shared,
      ciphertext: entry.mlkem_ciphertext,
      encrypted_key: entry.second_stage_key_encrypted,
      dh_public: sealed.public_key,
      salt: entry.salt,
    },
    kept: { ...shared, encrypted_key: sealed.self.second_stage_key_encrypted, salt: sealed.self.salt },
  };
}

/** Creates two new identities. */
export async function makePair(): Promise<{ alice: Identity; bob: Identity }> {
  const [alice, bob] = await Promise.all([createIdentity(), createIdentity()]);
  return { alice, bob };
}

/** Returns a copy of `bytes` with one bit flipped; `position` counts bits and wraps around. */
export function flipBit(bytes: Uint8Array, position: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  const bit = position % (copy.length * 8);
  copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
  return copy;
}

/** {@link flipBit} for base64. */
export function flipBitB64(text: string, position: number): string {
  return encodeBase64(flipBit(decodeBase64(text), position));
}

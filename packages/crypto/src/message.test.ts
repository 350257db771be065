// Sealing: the output for each kind of recipient, the exact refusals, and that inputs are not
// modified.

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './bytes.ts';
import { fingerprintOf } from './fingerprint.ts';
import {
  bindingOf,
  createMessageKey,
  openSummary,
  openWithMessageKey,
  sealForRecipients,
  sealMessage,
  sealPayload,
  sealSummary,
  wrapForSelf,
} from './message.ts';
import { createOpener } from './opener.ts';
import { setPrimitives } from './primitives/select.ts';
import { flipBit, makePair, summary } from './test-subjects.ts';
import type { Identity } from './vault.ts';

const payload = new TextEncoder().encode('Subject: x\r\n\r\nhello');
let alice: Identity;
let bob: Identity;

beforeAll(async () => {
  ({ alice, bob } = await makePair());
});
afterEach(() => setPrimitives(null));

describe('recipient entries', () => {
  it('a recipient with keys gets a wrap with every wire field', async () => {
    const sealed = await sealMessage({
      payload,
      messageKey: createMessageKey(),
      recipients: [{ email: 'Bob@x.test', mlkem_public: bob.mlkem_public, dh_public: bob.dh_public }],
      sender: alice,
    });
    const [entry] = sealed.recipients;
    expect(entry).toEqual({
      email: 'Bob@x.test',
      mlkem_ciphertext: expect.any(String),
      second_stage_key_encrypted: expect.any(String),
      salt: expect.any(String),
      key_used: bob.key_id,
      plaintext: false,
    });
    if (entry === undefined || !('mlkem_ciphertext' in entry)) throw new Error('Not a keyed entry');
    expect(decodeBase64(entry.mlkem_ciphertext)).toHaveLength(1568);
    expect(decodeBase64(entry.second_stage_key_encrypted)).toHaveLength(12 + 32 + 16);
    expect(decodeBase64(entry.salt)).toHaveLength(32);
    expect(sealed.public_key).toBe(encodeBase64(alice.dh_public));
    expect(sealed).toMatchObject({ self: null, summary: null, encryption_key: null });
    expect(decodeBase64(sealed.message_encrypted)).toHaveLength(16 + 32);
    expect(sealed.binding).toBe(encodeBase64(await bindingOf(sealed.message_encrypted)));
  });

  it('a plaintext recipient exposes the message key', async () => {
    const messageKey = createMessageKey();
    const recipients = ['out@y.test', { email: 'out2@y.test', plaintext: true as const }];
    const sealed = await sealMessage({ payload, messageKey, recipients, sender: alice });
    expect(sealed.recipients).toEqual([
      { email: 'out@y.test', plaintext: true },
      { email: 'out2@y.test', plaintext: true },
    ]);
    expect(sealed.encryption_key).toBe(encodeBase64(messageKey));
    const opened = await openWithMessageKey(
      sealed.message_encrypted,
      decodeBase64(sealed.encryption_key ?? ''),
    );
    expect(opened).toEqual(payload);
  });

  it('the message key stays private when every recipient has keys', async () => {
    const sealed = await sealMessage({
      payload,
      messageKey: createMessageKey(),
      recipients: [{ email: 'b', ...bob }],
    });
    expect(sealed.encryption_key).toBeNull();
  });

  it('a sender among the recipients, matched by address or keys, gets the self wrap', async () => {
    const self = { email: 'alice@x.test', ...alice };
    const recipients = ['ALICE@x.test', { email: 'alias@x.test', ...alice }, { email: 'bob@x.test', ...bob }];
    const sealed = await sealMessage({
      payload,
      messageKey: createMessageKey(),
      recipients,
      sender: alice,
      self,
    });
    expect(sealed.self).toMatchObject({ email: 'alice@x.test', key_used: alice.key_id, plaintext: false });
    expect(sealed.recipients[0]).toEqual({ ...sealed.self, email: 'ALICE@x.test' });
    expect(sealed.recipients[1]).toEqual({ ...sealed.self, email: 'alias@x.test' });
    expect(sealed.recipients[2]).toHaveProperty('mlkem_ciphertext');
    expect(sealed.encryption_key).toBeNull();
  });

  it('a message without a sender identity gets a fresh sender key pair', async () => {
    const input = { payload, messageKey: createMessageKey(), recipients: [{ email: 'b', ...bob }] };
    const [one, two] = await Promise.all([sealMessage(input), sealMessage(input)]);
    expect(one.public_key).not.toBe(two.public_key);
    expect(decodeBase64(one.public_key)).toHaveLength(32);
  });

  it('IVs, salts and ciphertexts never repeat', async () => {
    const messageKey = createMessageKey();
    const input = { payload, messageKey, recipients: [{ email: 'b', ...bob }], sender: alice, summary };
    const [one, two] = await Promise.all([sealMessage(input), sealMessage(input)]);
    const [a, b] = [one.recipients[0], two.recipients[0]];
    if (!a || !b || !('mlkem_ciphertext' in a) || !('mlkem_ciphertext' in b)) throw new Error('Not keyed');
    expect(one.message_encrypted).not.toBe(two.message_encrypted);
    expect(one.summary).not.toBe(two.summary);
    expect(a.salt).not.toBe(b.salt);
    expect(a.mlkem_ciphertext).not.toBe(b.mlkem_ciphertext);
    expect(a.second_stage_key_encrypted).not.toBe(b.second_stage_key_encrypted);
  });

  it('an already sealed body can be wrapped for one more recipient', async () => {
    const messageKey = createMessageKey();
    const { body, binding } = await sealPayload(payload, messageKey);
    const later = await sealForRecipients({ messageKey, binding, recipients: [{ email: 'b', ...bob }] });
    const [entry] = later.recipients;
    if (entry === undefined || !('mlkem_ciphertext' in entry)) throw new Error('Not keyed');
    const opener = await createOpener(bob);
    const { mlkem_ciphertext: ciphertext, second_stage_key_encrypted: encrypted_key, salt } = entry;
    const opened = await opener.open({ body, ciphertext, encrypted_key, salt, dh_public: later.public_key });
    expect(opened.payload).toEqual(payload);
  });
});

describe('sealing', () => {
  const key = createMessageKey();

  it('requires a message key, then a message', async () => {
    const empty = new Uint8Array(0);
    const missing = { code: 'missing_second_stage_key_bytes', message: 'Missing second stage key bytes' };
    await expect(sealMessage({ payload, messageKey: empty, recipients: [] })).rejects.toMatchObject(missing);
    await expect(sealMessage({ payload: empty, messageKey: empty, recipients: [] })).rejects.toMatchObject(
      missing,
    );
    await expect(sealPayload(payload, undefined as unknown as Uint8Array)).rejects.toMatchObject(missing);
    await expect(wrapForSelf(empty, key, { email: 'a', ...alice })).rejects.toMatchObject(missing);
    const none = { code: 'empty_message', message: 'Trying to encrypt empty message' };
    await expect(sealMessage({ payload: empty, messageKey: key, recipients: [] })).rejects.toMatchObject(
      none,
    );
  });

  it('refuses keys of the wrong size', async () => {
    const failed = { message: 'Failed to encrypt message', cause: expect.any(RangeError) };
    const recipient = { email: 'b', mlkem_public: bob.mlkem_public.slice(1), dh_public: bob.dh_public };
    await expect(sealMessage({ payload, messageKey: key, recipients: [recipient] })).rejects.toMatchObject(
      failed,
    );
    await expect(sealPayload(payload, key.slice(1))).rejects.toMatchObject(failed);
    const self = { email: 'a', sent_key: alice.sent_key.slice(1), key_id: alice.key_id };
    const binding = await bindingOf(payload);
    await expect(wrapForSelf(key, binding, self)).rejects.toThrow('Failed to encrypt message for self');
    await expect(wrapForSelf(key, payload, { email: 'a', ...alice })).rejects.toThrow('for self');
  });

  it('refuses a recipient whose keys do not match the pinned fingerprint', async () => {
    const recipients = [{ email: 'b', ...bob, fingerprint: alice.key_id }];
    await expect(sealMessage({ payload, messageKey: key, recipients })).rejects.toThrow(
      /^Failed to encrypt message$/,
    );
    const right = [{ email: 'b', ...bob, fingerprint: await fingerprintOf(bob) }];
    await expect(sealMessage({ payload, messageKey: key, recipients: right })).resolves.toBeDefined();
  });

  it('refuses a low-order X25519 key with its own error and seals for no recipient', async () => {
    for (const first of [0, 1]) {
      const dh_public = new Uint8Array(32);
      dh_public[0] = first;
      const recipients = [
        { email: 'b', ...bob },
        { email: 'c', mlkem_public: bob.mlkem_public, dh_public },
      ];
      await expect(sealMessage({ payload, messageKey: key, recipients, sender: alice })).rejects.toThrow(
        /^Failed to generate dh shared secret$/,
      );
    }
  });

  it('refuses an ML-KEM key with coefficients out of range', async () => {
    const mlkem_public = new Uint8Array(1568).fill(255);
    const recipients = [{ email: 'b', mlkem_public, dh_public: bob.dh_public }];
    await expect(sealMessage({ payload, messageKey: key, recipients })).rejects.toThrow(
      'Failed to encrypt message',
    );
  });

  it('refuses an invalid summary', async () => {
    const binding = await bindingOf(payload);
    for (const wrong of [{ date: 'soon' }, { attachments: -1 }, { invite: 1 }, { to: null }, { subject: 7 }])
      await expect(sealSummary(key, binding, { ...summary, ...wrong } as never)).rejects.toThrow(
        'Failed to encrypt message',
      );
  });
});

describe('a body with a known message key', () => {
  it('opens with the binding or the summary as proof, and fails with a wrong one', async () => {
    const messageKey = createMessageKey();
    const { body, binding } = await sealPayload(payload, messageKey);
    const sealedSummary = await sealSummary(messageKey, binding, summary);
    expect(await openWithMessageKey(body, messageKey, { binding, summary: sealedSummary })).toEqual(payload);
    const changed = flipBit(body, 3);
    await expect(openWithMessageKey(changed, messageKey, { binding })).rejects.toThrow(
      'Failed to decrypt message',
    );
    await expect(openWithMessageKey(changed, messageKey, { summary: sealedSummary })).rejects.toThrow(
      'Failed',
    );
    await expect(openWithMessageKey(body, messageKey, { binding: flipBit(binding, 0) })).rejects.toThrow(
      'Failed',
    );
  });

  it('refuses impossible body sizes', async () => {
    for (const sizeBytes of [0, 15, 16, 31, 33])
      await expect(openWithMessageKey(new Uint8Array(sizeBytes), createMessageKey())).rejects.toThrow(
        'Failed',
      );
    await expect(openWithMessageKey(null as unknown as string, createMessageKey())).rejects.toThrow('Failed');
  });
});

describe('summaries', () => {
  it('round-trip, with the snippet cut to 200 characters', async () => {
    const messageKey = createMessageKey();
    const binding = await bindingOf(payload);
    const long = { ...summary, snippet: '👋'.repeat(300) };
    const sealed = await sealSummary(messageKey, binding, { ...long, extra: 'dropped' } as typeof summary);
    expect(await openSummary(messageKey, binding, sealed)).toEqual({ ...summary, snippet: '👋'.repeat(200) });
  });

  it('open only with the binding of their body', async () => {
    const messageKey = createMessageKey();
    const sealed = await sealSummary(messageKey, await bindingOf(payload), summary);
    const other = await bindingOf(flipBit(payload, 0));
    await expect(openSummary(messageKey, other, sealed)).rejects.toThrow(/^Failed to decrypt message$/);
  });
});

it('sealing leaves its inputs unchanged', async () => {
  const input = {
    payload: payload.slice(),
    messageKey: createMessageKey(),
    recipients: [{ email: 'b', ...structuredClone(bob) }],
    sender: structuredClone(alice),
    self: { email: 'a', ...structuredClone(alice) },
    summary: structuredClone(summary),
  };
  const before = structuredClone(input);
  await sealMessage(input);
  expect(input).toEqual(before);
});

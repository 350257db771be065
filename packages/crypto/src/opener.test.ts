// Opening: both paths, rows without bodies, rewrapping, the sender cache, closing.

import { beforeAll, describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './bytes.ts';
import { bindingOf, createMessageKey, wrapForSelf } from './message.ts';
import { createOpener, type Opener } from './opener.ts';
import { makeMail, makePair, summary } from './test-subjects.ts';
import { createIdentity, type Identity } from './vault.ts';

const payload = new TextEncoder().encode('From: a\r\n\r\nhello');
let alice: Identity;
let bob: Identity;
let opener: Opener;
let mail: Awaited<ReturnType<typeof makeMail>>;

beforeAll(async () => {
  ({ alice, bob } = await makePair());
  opener = await createOpener(bob);
  mail = await makeMail(payload, alice, bob);
});

describe('a message with its body', () => {
  it('opens for its recipient, with a base64 or raw body', async () => {
    const expected = {
      payload,
      messageKey: mail.messageKey,
      binding: decodeBase64(mail.sealed.binding),
      path: 'hybrid',
    };
    expect(await opener.open(mail.received)).toEqual(expected);
    expect(await opener.open({ ...mail.received, body: decodeBase64(mail.received.body) })).toEqual(expected);
  });

  it('opens for the sender by the self path when the KEM fields are absent, null or empty', async () => {
    const own = await createOpener(alice);
    expect((await own.open(mail.kept)).payload).toEqual(payload);
    expect((await own.open({ ...mail.kept, ciphertext: null, dh_public: null })).payload).toEqual(payload);
    expect((await own.open({ ...mail.kept, ciphertext: '', dh_public: 'AAAA' })).payload).toEqual(payload);
  });

  it('reports the self path for a self wrap, whatever key the server sends with it', async () => {
    const wrap = await opener.wrapForSelf(mail.messageKey, mail.sealed.binding);
    const served = {
      body: mail.received.body,
      ...wrap,
      ciphertext: null,
      dh_public: mail.received.dh_public,
    };
    expect(await opener.open(served)).toMatchObject({ payload, path: 'self' });
  });

  it('does not open for anyone else', async () => {
    const stranger = await createOpener(await createIdentity());
    await expect(stranger.open(mail.received)).rejects.toThrow(/^Failed to decrypt message$/);
    await expect(stranger.open(mail.kept)).rejects.toThrow(/^Failed to decrypt message for self$/);
    await expect(opener.open(mail.kept)).rejects.toThrow(/^Failed to decrypt message for self$/);
  });

  it('names a missing field before decrypting', async () => {
    for (const absent of [undefined, null, '']) {
      await expect(opener.open({ ...mail.received, salt: absent })).rejects.toThrow(/^Missing salt$/);
      await expect(opener.open({ ...mail.received, encrypted_key: absent })).rejects.toThrow(
        /^Missing second stage key$/,
      );
    }
    await expect(opener.open({ body: '' })).rejects.toThrow(/^Missing salt$/);
  });

  it('keeps the inner error as the cause', async () => {
    const zeroKey = { ...mail.received, dh_public: encodeBase64(new Uint8Array(32)) };
    await expect(opener.open(zeroKey)).rejects.toMatchObject({
      code: 'decrypt_failed',
      cause: { code: 'dh_failed', message: 'Failed to generate dh shared secret' },
    });
    const short = { ...mail.received, salt: 'AAAA' };
    await expect(opener.open(short)).rejects.toMatchObject({ cause: expect.any(RangeError) });
  });

  it('refuses a missing body', async () => {
    const { body: _body, ...rest } = mail.received;
    await expect(opener.open(rest as never)).rejects.toThrow(/^Failed to decrypt message$/);
  });
});

describe('a row without a body', () => {
  it('opens the summary with the stored binding', async () => {
    expect(await opener.openSummary(mail.received)).toEqual({ summary, messageKey: mail.messageKey });
    const binding = decodeBase64(mail.sealed.binding);
    expect(await opener.openKey(mail.received, binding)).toEqual(mail.messageKey);
  });

  it('opens for the sender, too', async () => {
    const own = await createOpener(alice);
    expect((await own.openSummary(mail.kept)).summary).toEqual(summary);
  });

  it('refuses a binding, summary or wrap of another message', async () => {
    const other = await makeMail(payload, alice, bob);
    const { binding, summary: text, ...wrap } = other.received;
    await expect(opener.openSummary({ ...mail.received, binding })).rejects.toThrow(
      /^Failed to decrypt message$/,
    );
    await expect(opener.openSummary({ ...mail.received, summary: text })).rejects.toThrow(
      'Failed to decrypt',
    );
    await expect(opener.openSummary({ ...wrap, binding, summary: mail.received.summary })).rejects.toThrow(
      'Failed',
    );
    await expect(opener.openKey(mail.received, 'AAAA')).rejects.toThrow('Failed to decrypt message');
  });

  it('ignores the stored binding when the body is present', async () => {
    const wrong = { ...mail.received, binding: encodeBase64(new Uint8Array(32)) };
    expect((await opener.open(wrong)).payload).toEqual(payload);
  });
});

describe('rewrapping', () => {
  it('lets an opened row be opened again without a KEM', async () => {
    const { messageKey } = await opener.openSummary(mail.received);
    const wrap = await opener.wrapForSelf(messageKey, mail.sealed.binding);
    expect(wrap.key_used).toBe(bob.key_id);
    const { body, summary: sealed, binding } = mail.received;
    expect((await opener.openSummary({ ...wrap, summary: sealed, binding })).summary).toEqual(summary);
    expect((await opener.open({ ...wrap, body })).payload).toEqual(payload);
  });

  it('accepts the self wrap made by sealing', async () => {
    const binding = await bindingOf(mail.received.body);
    const entry = await wrapForSelf(mail.messageKey, binding, { email: 'bob@x.test', ...bob });
    const wrap = { encrypted_key: entry.second_stage_key_encrypted, salt: entry.salt };
    expect(await opener.openKey(wrap, binding)).toEqual(mail.messageKey);
  });

  it('works for a draft without a body', async () => {
    const messageKey = createMessageKey();
    const wrap = await opener.wrapForSelf(messageKey, await bindingOf(''));
    expect(await opener.openKey(wrap, await bindingOf(new Uint8Array(0)))).toEqual(messageKey);
    await expect(opener.openKey(wrap, mail.sealed.binding)).rejects.toThrow('for self');
  });

  it('refuses an invalid message key', async () => {
    await expect(opener.wrapForSelf(new Uint8Array(31), mail.sealed.binding)).rejects.toThrow(
      /^Failed to encrypt message for self$/,
    );
  });
});

it('an opener opens many messages of one and of several senders concurrently', async () => {
  const senders = await Promise.all([alice, ...Array.from({ length: 3 }, () => createIdentity())]);
  const mails = await Promise.all(
    Array.from({ length: 24 }, (_, i) => makeMail(Uint8Array.of(i + 1), senders[i % 4] as Identity, bob)),
  );
  const fresh = await createOpener(bob);
  const opened = await Promise.all(mails.map(({ received }) => fresh.open(received)));
  expect(opened.map(({ payload: [first] }) => first)).toEqual(mails.map((_, i) => i + 1));
});

it('an opener evicts old senders from its cache and still opens their messages', async () => {
  const fresh = await createOpener(bob);
  const bogus = Array.from({ length: 300 }, (_, i) => {
    const dh_public = new Uint8Array(32).fill(9);
    dh_public.set([i & 255, i >> 8]);
    return fresh.open({ ...mail.received, dh_public: encodeBase64(dh_public) }).catch(() => null);
  });
  expect(await Promise.all(bogus)).toEqual(bogus.map(() => null));
  expect((await fresh.open(mail.received)).payload).toEqual(payload);
});

it('a closed opener opens nothing, and a second close is harmless', async () => {
  const closing = await createOpener(structuredClone(bob));
  await closing.open(mail.received);
  closing.close();
  closing.close();
  await expect(closing.open(mail.received)).rejects.toThrow('Failed to decrypt message');
  await expect(closing.openSummary(mail.received)).rejects.toThrow('Failed to decrypt message');
  await expect(closing.wrapForSelf(mail.messageKey, mail.sealed.binding)).rejects.toThrow('Failed to');
});

it('an opener refuses an identity with keys of the wrong size', async () => {
  for (const broken of [{ sent_key: new Uint8Array(16) }, { mlkem_private: new Uint8Array(32) }])
    await expect(createOpener({ ...bob, ...broken })).rejects.toThrow('Failed to decrypt message');
});

it('an opener leaves the identity and the message unchanged', async () => {
  const [identity, received] = structuredClone([bob, mail.received] as const);
  const fresh = await createOpener(identity);
  await fresh.open(received);
  fresh.close();
  expect(identity).toEqual(bob);
  expect(received).toEqual(mail.received);
});

// How a stored message becomes what the reader shows (docs/spec-map.md 4.08, 4.09, 4.10):
// placeholder, alert, failure.

import type { Email } from '@keyfold/contract';
import { createMessageKey, sealMessage } from '@keyfold/crypto/message';
import { createIdentity } from '@keyfold/crypto/vault';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '../keys/account-keys.ts';
import { getVault } from '../keys/vault-keeper.ts';
import { openMail } from './mail-opener.ts';

beforeAll(async () => {
  await createAccount('alice@keyfold.test', 'Correct-Horse-9', () => undefined);
});

const mail = (change: Partial<Email>): Email =>
  ({
    id: '1',
    body: null,
    summary: null,
    binding: null,
    ciphertext: null,
    encrypted_key: null,
    dh_public: null,
    salt: null,
    headers: '',
    draft: false,
    sent: false,
    scheduled: false,
    alert: false,
    ...change,
  }) as Email;

test('a draft without body and headers is a placeholder', async () => {
  const opened = await openMail(mail({ draft: true }));
  expect([opened.kind, opened.failed, opened.parsed.text]).toEqual(['placeholder', null, null]);
});

test('the base64 body of an alert is joined to its headers and not decrypted', async () => {
  const opened = await openMail(
    mail({
      alert: true,
      headers: 'From: Keyfold <no-reply@keyfold.test>\r\nSubject: New sign-in\r\n',
      body: btoa('If this was you there is nothing to do.'),
    }),
  );
  expect([opened.kind, opened.failed]).toEqual(['alert', null]);
  expect(opened.parsed.subject).toBe('New sign-in');
  expect(opened.parsed.text).toContain('nothing to do');
});

test('a message that fails to open keeps its headers and the reason', async () => {
  const headers = 'From: Bob <bob@keyfold.test>\r\nTo: alice@keyfold.test\r\n';
  const sealed = {
    encrypted_key: btoa('x'.repeat(60)),
    salt: btoa('s'.repeat(32)),
    body: btoa('b'.repeat(48)),
  };
  const opened = await openMail(mail({ headers, ...sealed }));
  expect(opened.failed).toBe('Failed to decrypt message for self');
  expect(opened.parsed.from).toEqual({ name: 'Bob', address: 'bob@keyfold.test' });
  expect([opened.parsed.text, opened.parsed.html]).toEqual([null, null]);
  const foreign = await openMail(
    mail({ headers, ...sealed, ciphertext: btoa('c'.repeat(1568)), dh_public: btoa('d'.repeat(32)) }),
  );
  expect(foreign.failed).toBe('Failed to decrypt message');
});

test('a missing salt or key is named with the text of the specification', async () => {
  expect((await openMail(mail({ body: 'AAAA', encrypted_key: 'AAAA' }))).failed).toBe('Missing salt');
  expect((await openMail(mail({ body: 'AAAA', salt: 'AAAA' }))).failed).toBe('Missing second stage key');
});

test('the user’s own sealed message names only people in its payload, whatever headers the server adds', async () => {
  const { identity, email } = getVault();
  const payload = 'From: alice@keyfold.test\r\nTo: bob@keyfold.test\r\nSubject: Later\r\n\r\nHello';
  const sealed = await sealMessage({
    payload: new TextEncoder().encode(payload),
    messageKey: createMessageKey(),
    recipients: [],
    self: { email, sent_key: identity.sent_key, key_id: identity.key_id },
  });
  const stored = {
    headers: 'From: spy@keyfold.test\r\nTo: spy@keyfold.test\r\nBcc: spy@keyfold.test\r\n',
    body: sealed.message_encrypted,
    encrypted_key: sealed.self?.second_stage_key_encrypted ?? null,
    salt: sealed.self?.salt ?? null,
  };
  for (const type of ['text/plain', 'message/rfc822; hp="cipher"'])
    for (const own of [{ draft: true }, { sent: true }, { sent: true, scheduled: true }]) {
      const headers = `${stored.headers}Content-Type: ${type}\r\n`;
      const { parsed, failed } = await openMail(mail({ ...stored, ...own, headers }));
      expect([failed, parsed.from?.address, parsed.subject]).toEqual([null, 'alice@keyfold.test', 'Later']);
      expect([parsed.to.map(({ address }) => address), parsed.bcc]).toEqual([['bob@keyfold.test'], []]);
    }
});

test('a message reports whether the sender’s wrap or the user’s own wrap opened it', async () => {
  const { opener, identity, email } = getVault();
  const sealed = await sealMessage({
    payload: new TextEncoder().encode('From: bob@keyfold.test\r\n\r\nHello'),
    messageKey: createMessageKey(),
    recipients: [{ ...identity, email }],
    sender: await createIdentity(),
  });
  const [entry] = sealed.recipients;
  if (entry === undefined || !('mlkem_ciphertext' in entry)) throw new Error('Not sealed');
  const served = mail({
    body: sealed.message_encrypted,
    dh_public: sealed.public_key,
    ciphertext: entry.mlkem_ciphertext,
    encrypted_key: entry.second_stage_key_encrypted,
    salt: entry.salt,
  });
  expect(await openMail(served)).toMatchObject({ failed: null, path: 'hybrid' });
  const { messageKey, binding } = await opener.open({ ...served, body: sealed.message_encrypted });
  const wrap = await opener.wrapForSelf(messageKey, binding);
  const again = mail({ ...served, ciphertext: null, encrypted_key: wrap.encrypted_key, salt: wrap.salt });
  expect(await openMail(again)).toMatchObject({ failed: null, path: 'self' });
});

test.each([
  'From: alice@keyfold.test\r\nSubject: Pay\r\nContent-Type: text/html\r\n\r\nAt once<!--',
  'From: alice@keyfold.test\r\nReply-To: spy@keyfold.test\r\nContent-Type: text/plain\r\n',
  '',
])('headers that the server adds to a sealed message, %j, are not part of it', async headers => {
  const { identity, email } = getVault();
  const seal = async (text: string) => {
    const sealed = await sealMessage({
      payload: new TextEncoder().encode(text),
      messageKey: createMessageKey(),
      recipients: [{ ...identity, email }],
      sender: identity,
    });
    const [entry] = sealed.recipients;
    if (entry === undefined || !('mlkem_ciphertext' in entry)) throw new Error('Not sealed');
    return mail({
      headers,
      body: sealed.message_encrypted,
      dh_public: sealed.public_key,
      ciphertext: entry.mlkem_ciphertext,
      encrypted_key: entry.second_stage_key_encrypted,
      salt: entry.salt,
    });
  };
  const note = await openMail(await seal('From: alice@keyfold.test\r\nSubject: Note\r\n\r\nMilk.'));
  expect([note.path, note.parsed.subject, note.parsed.text?.trim()]).toEqual(['hybrid', 'Note', 'Milk.']);
  expect(note.parsed.headers.some(({ key }) => key === 'reply-to')).toBe(false);
  const nameless = await openMail(await seal('Milk.'));
  expect(nameless.path).toBeNull();
  expect(`${nameless.parsed.text ?? ''}${nameless.parsed.html ?? ''}`).not.toContain('At once');
});

test('distinguishes a damaged message, one sealed for another key, and data that is no message', async () => {
  const { identity } = getVault();
  const sealed = {
    headers: 'From: bob@keyfold.test\r\n',
    encrypted_key: btoa('x'.repeat(60)),
    salt: btoa('s'.repeat(32)),
    body: btoa('b'.repeat(48)),
  };
  const causeOf = async (change: Partial<Email>) => (await openMail(mail({ ...sealed, ...change }))).cause;
  expect(await causeOf({ key_used: identity.key_id })).toBe('damaged');
  expect(await causeOf({ key_used: 'another' })).toBe('no_key');
  const nothing = await openMail(mail({}));
  expect([nothing.cause, nothing.failed]).toEqual(['unreadable', 'This message couldn’t be read']);
});

test('the same sealed message under two ids is reported as a copy, except beside the user’s sent message', async () => {
  const { identity, email } = getVault();
  const sealed = await sealMessage({
    payload: new TextEncoder().encode('From: bob@keyfold.test\r\n\r\nPay at once'),
    messageKey: createMessageKey(),
    recipients: [],
    self: { email, sent_key: identity.sent_key, key_id: identity.key_id },
  });
  const served = (id: string, sent = false) =>
    mail({
      id,
      sent,
      body: sealed.message_encrypted,
      encrypted_key: sealed.self?.second_stage_key_encrypted ?? null,
      salt: sealed.self?.salt ?? null,
    });
  expect((await openMail(served('sent', true))).isCopy).toBe(false);
  expect((await openMail(served('first'))).isCopy).toBe(false);
  expect((await openMail(served('second'))).isCopy).toBe(true);
  expect((await openMail(served('first'))).isCopy).toBe(true);
});

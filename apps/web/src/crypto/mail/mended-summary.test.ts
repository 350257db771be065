// A stored summary that differs from the message is detected when the message is opened, and only
// then.
import type { Email } from '@keyfold/contract';
import {
  createMessageKey,
  decodeBase64,
  type MessageSummary,
  openSummary,
  sealMessage,
} from '@keyfold/crypto/message';
import { createIdentity } from '@keyfold/crypto/vault';
import { summarize } from '@keyfold/mail/mime/summary';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '../keys/account-keys.ts';
import { getVault } from '../keys/vault-keeper.ts';
import { openMail } from './mail-opener.ts';
import { mendSnippet } from './mended-summary.ts';
import { openRows } from './row-opener.ts';

beforeAll(async () => {
  await createAccount('alice@keyfold.test', 'Correct-Horse-9', () => undefined);
});

const receivedAt = '2026-03-01T08:00:00.000Z';
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, one => one.charCodeAt(0));

/** Returns a message as the server stores it, with the summary made on arrival. */
async function stored(raw: Uint8Array, change: Partial<MessageSummary>, more: Partial<Email> = {}) {
  const { identity, email } = getVault();
  const messageKey = createMessageKey();
  const right = await summarize(raw, receivedAt);
  const sealed = await sealMessage({
    payload: raw,
    messageKey,
    recipients: [{ ...identity, email }],
    sender: await createIdentity(),
    self: { email, sent_key: identity.sent_key, key_id: identity.key_id },
    summary: { ...right, ...change },
  });
  const mail = {
    id: crypto.randomUUID(),
    body: sealed.message_encrypted,
    summary: sealed.summary,
    binding: sealed.binding,
    ciphertext: null,
    dh_public: null,
    encrypted_key: sealed.self?.second_stage_key_encrypted ?? null,
    salt: sealed.self?.salt ?? null,
    key_used: identity.key_id,
    headers: 'From: info@shop.example\r\n',
    from: 'info@shop.example',
    received_at: receivedAt,
    draft: false,
    sent: false,
    alert: false,
    attachments: [],
    tags: [],
    ...more,
  } as unknown as Email;
  return { mail, right, messageKey, binding: decodeBase64(sealed.binding) };
}

const head =
  'From: "M\xfcller" <info@shop.example>\r\nTo: alice@keyfold.test\r\nDate: Sun, 1 Mar 2026 08:00:00 +0100\r\n';
const korean = bytesOf(
  `${head}Subject: =?windows-949?B?vsiz58fPvLy/5A==?=\r\nContent-Type: text/plain; charset=ks_c_5601-1987\r\nContent-Transfer-Encoding: base64\r\n\r\nvsiz58fPvLy/5A==\r\n`,
);
const western = bytesOf(
  `${head}Subject: Gr\xfc\xdfe\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nSch\xf6ne Gr\xfc\xdfe\r\n`,
);

test.each<[string, Uint8Array, Partial<MessageSummary>]>([
  ['an unknown set in the subject', korean, { subject: '¾È³çÇÏ¼¼¿ä' }],
  ['replacement characters in the text', western, { snippet: 'Sch\ufffdne Gr\ufffd\ufffde' }],
  ['a garbled name', western, { from: { name: 'M\ufffdller', address: 'info@shop.example' } }],
  ['another date', western, { date: '1970-01-01T00:00:00.000Z' }],
])('%s: the corrected summary replaces the wrong one and is not corrected again', async (_, raw, wrong) => {
  const { mail, right, messageKey, binding } = await stored(raw, wrong);
  const { mended } = await openMail(mail);
  expect(mended?.shown).toEqual(right);
  const digest = await crypto.subtle.digest('SHA-256', decodeBase64(mail.summary ?? ''));
  expect(decodeBase64(mended?.was ?? '')).toEqual(new Uint8Array(digest));
  const sealed = mended?.sealed ?? '';
  expect(await openSummary(messageKey, binding, sealed)).toEqual(right);
  const after = { ...mail, summary: sealed };
  expect((await openMail(after)).mended).toBeUndefined();
  expect((await openRows([after]))[0]).toMatchObject({ failed: null, summary: right });
});

test('two devices that find the same summary wrong make the same correction', async () => {
  const { mail } = await stored(western, { subject: 'Gr??e' });
  const [one, two] = [(await openMail(mail)).mended, (await openMail(mail)).mended];
  expect(one?.shown).toEqual(two?.shown);
  expect(one?.was).toBe(two?.was);
});

test.each([korean, western])('a correct summary is left alone', async raw => {
  expect((await openMail((await stored(raw, {})).mail)).mended).toBeUndefined();
});

test('a message without a date keeps its stored date', async () => {
  const undated = bytesOf('From: info@shop.example\r\nSubject: Hello\r\n\r\nHello\r\n');
  const { mail } = await stored(undated, { date: '2025-12-24T10:00:00.000Z' });
  expect((await openMail(mail)).mended).toBeUndefined();
  const named = await stored(undated, { date: '2025-12-24T10:00:00.000Z', subject: 'H?llo' });
  expect((await openMail(named.mail)).mended?.shown.date).toBe('2025-12-24T10:00:00.000Z');
});

test.each<[string, Partial<Email>]>([
  ['a draft', { draft: true }],
  ['sent mail', { sent: true }],
  ['a mail without a summary', { summary: null }],
  ['a summary that does not open', { summary: btoa('x'.repeat(80)) }],
])('%s never gets a corrected summary', async (_, more) => {
  const { mail } = await stored(western, { subject: 'Something else' }, more);
  const opened = await openMail(mail);
  expect([opened.failed, opened.mended]).toEqual([null, undefined]);
});

test('a notice never gets a corrected summary', async () => {
  const { mail } = await stored(western, { subject: 'Something else' }, { alert: true, body: btoa('Text') });
  expect((await openMail(mail)).mended).toBeUndefined();
});

test('a corrected summary names the stored sender, whatever From the message has', async () => {
  const { mail } = await stored(
    western,
    { subject: 'Gr??e' },
    {
      from: 'spy@elsewhere.example',
      headers: 'From: Spy <spy@elsewhere.example>\r\n',
    },
  );
  expect((await openMail(mail)).mended?.shown.from).toEqual({
    name: 'Spy',
    address: 'spy@elsewhere.example',
  });
});

test('headers from the server never enter the summary of a message without a sender', async () => {
  const nameless = bytesOf('Subject: Hello\r\n\r\nHello\r\n');
  const { mail } = await stored(nameless, { subject: 'Hullo' });
  expect((await openMail(mail)).mended).toBeUndefined();
});

test('text unpacked from an Outlook envelope is added to the summary and stays there', async () => {
  const packed = bytesOf(
    `${head}Subject: Offer\r\nContent-Type: application/ms-tnef; name=winmail.dat\r\nContent-Disposition: attachment; filename=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\neJ8+Ig==\r\n`,
  );
  const { mail, right, messageKey, binding } = await stored(packed, {});
  expect(right.snippet).toBe('');
  expect((await openMail(mail)).mended).toBeUndefined();
  const bodies = { text: null, html: '<p>Here is the offer.</p>' };
  const mended = await mendSnippet(mail, bodies);
  expect(mended?.shown).toEqual({ ...right, snippet: 'Here is the offer.' });
  const sealed = mended?.sealed ?? '';
  expect((await openSummary(messageKey, binding, sealed)).snippet).toBe('Here is the offer.');
  const after = { ...mail, summary: sealed };
  expect((await openMail(after)).mended).toBeUndefined();
  expect(await mendSnippet(after, bodies)).toBeNull();
  const other = await stored(packed, { subject: 'Off?r', snippet: 'Here is the offer.' });
  expect((await openMail(other.mail)).mended?.shown).toEqual({ ...right, snippet: 'Here is the offer.' });
  expect(await mendSnippet({ ...mail, draft: true }, bodies)).toBeNull();
  expect(await mendSnippet({ ...mail, id: crypto.randomUUID() }, bodies)).toBeNull();
});

// Output of import sealing: the same parts as for incoming mail, with nothing readable in them
// except the clear headers.
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { bindingOf, decodeBase64, openSummary, openWithMessageKey } from '@keyfold/crypto/message';
import type { MailItem } from '@keyfold/import/items';
import { parseMessage } from '@keyfold/mail/mime/parse';
import { writeTnef } from '@keyfold/testing/tnef-file';
import { expect, test } from 'vitest';
import { readMail, sealImported, subjectOf } from './import-seal.ts';

const item = (raw: string, receivedAt: Date | null = null): MailItem => ({
  kind: 'mail',
  key: '1',
  folder: [],
  raw: new TextEncoder().encode(raw),
  receivedAt,
  flags: { isRead: true, isStarred: false, isDraft: false, isSent: false },
});

const file = Buffer.alloc(60_000, 7);
const withFile = [
  'From: Gus <gus@outside.test>',
  'To: alice@keyfold.test',
  'Subject: Secret plan',
  'Message-ID: <1@outside.test>',
  'In-Reply-To: <0@outside.test>',
  'Date: Tue, 05 Mar 2019 10:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  '',
  'Words',
  '--b',
  'Content-Type: application/pdf; name=plan.pdf',
  'Content-Disposition: attachment; filename=plan.pdf',
  'Content-Transfer-Encoding: base64',
  '',
  ...(file.toString('base64').match(/.{1,76}/g) ?? []),
  '--b--',
  '',
].join('\r\n');

async function seal(raw: string, receivedAt: Date | null = null) {
  let [key, binding] = [new Uint8Array(), new Uint8Array()];
  const containers: Uint8Array[] = [];
  const door = {
    wrapKey: async (messageKey: Uint8Array, bindingOfBody: Uint8Array) => {
      [key, binding] = [messageKey.slice(), bindingOfBody.slice()];
      return { encrypted_key: 'wrapped', salt: 'salt', key_used: 'mine' };
    },
    nameMessage: async (digest: Uint8Array) => `<${digest.length}@import.invalid>`,
    upload: async (container: Uint8Array) => `id-${containers.push(container)}`,
  };
  const mail = await readMail(item(raw, receivedAt), door);
  const sealed = await sealImported(mail, door);
  const payload = await openWithMessageKey(decodeBase64(sealed.body), key);
  const summary = await openSummary(key, binding, sealed.summary);
  return { mail, sealed, payload, containers, summary };
}

test('a large file moves to a container that the sealed message references, and its content is unchanged', async () => {
  const { sealed, payload, containers } = await seal(withFile);
  expect(sealed).toMatchObject({ attachments: ['id-1'], hasAttachments: true, key_used: 'mine' });
  const parsed = await parseMessage(payload);
  expect(parsed.subject).toBe('Secret plan');
  const [reference] = parsed.attachments;
  expect(reference?.external?.externalId).toBe('id-1');
  const fileKey = decodeBase64(reference?.external?.key ?? '');
  expect(Buffer.from(await openWholeAttachment(fileKey, containers[0] as Uint8Array))).toEqual(file);
});

test('the clear headers contain people and thread but no subject', async () => {
  const { sealed, mail } = await seal(withFile);
  expect(sealed.headers).toContain('From: Gus <gus@outside.test>');
  expect(sealed.headers).toContain('Message-ID: <1@outside.test>');
  expect(sealed.headers).toContain('In-Reply-To: <0@outside.test>');
  expect(sealed.headers).not.toContain('Secret');
  expect(subjectOf(mail)).toBe('Secret plan');
  expect(sealed.received_at).toBe('2019-03-05T10:00:00.000Z');
});

test('a message without a Message-ID gets one, and its known arrival time is used', async () => {
  const { mail, sealed } = await seal('Subject: x\r\n\r\nwords\r\n', new Date('2020-01-02T03:04:05Z'));
  expect(mail.messageId).toBe('<32@import.invalid>');
  expect(sealed.headers).toContain('Message-ID: <32@import.invalid>');
  expect(sealed.received_at).toBe('2020-01-02T03:04:05.000Z');
  expect(sealed).toMatchObject({ attachments: [], hasAttachments: false });
  expect((await bindingOf(mail.item.raw)).length).toBe(32);
});

test('old mail without a valid date is never dated today', async () => {
  const at = async (raw: string, receivedAt: Date | null = null) =>
    (await seal(raw, receivedAt)).mail.receivedAt;
  const words = 'From: gus@outside.test\r\nSubject: Old\r\n';
  expect(await at(`${words}Date: Tue, 05 Mar 2019 10:00:00 +0000\r\n\r\nx`)).toBe('2019-03-05T10:00:00.000Z');
  expect(await at(`${words}Date: some day\r\n\r\nx`)).toBe('1970-01-01T00:00:00.000Z');
  expect(await at(`${words}\r\nx`)).toBe('1970-01-01T00:00:00.000Z');
  expect(await at(`${words}\r\nx`, new Date('2001-02-03T04:05:06Z'))).toBe('2001-02-03T04:05:06.000Z');
  const received = 'Received: from a by b; Mon, 4 Mar 2019 09:00:00 +0000\r\n';
  expect(await at(`${received}${words}Date: some day\r\n\r\nx`)).toBe('2019-03-04T09:00:00.000Z');
  expect(await at(`${received}${words}Date: Fri, 31 Dec 2199 08:00:00 +0100\r\n\r\nx`)).toBe(
    '2019-03-04T09:00:00.000Z',
  );
});

const packed = (text: string, content: Uint8Array) =>
  [
    'From: Gus <gus@outside.test>',
    'Subject: Offer',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...(text === '' ? [] : ['--b', '', text]),
    '--b',
    'Content-Type: application/ms-tnef; name="winmail.dat"',
    'Content-Transfer-Encoding: base64',
    '',
    ...(Buffer.from(content)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
    '--b--',
    '',
  ].join('\r\n');
const envelope = (filler = 0) =>
  writeTnef({
    properties: [
      { id: 0x1013, type: 'binary', value: new TextEncoder().encode('<p>Grüße, here is the offer.</p>') },
      { id: 0x3fde, type: 'int', value: 65001 },
    ],
    files: [{ title: 'offer.pdf', content: new Uint8Array(filler).fill(7) }],
  });

test.each([
  ['alone', packed('', envelope(10)), 'Grüße, here is the offer.'],
  ['in a container of its own', packed('', envelope(60_000)), 'Grüße, here is the offer.'],
  ['beside a blank text', packed(' ', envelope(10)), 'Grüße, here is the offer.'],
  ['beside a text', packed('See below.', envelope(10)), 'See below.'],
  ['damaged', packed('', new Uint8Array([0x78, 0x9f])), ''],
])('the summary has the right snippet for an Outlook envelope that came %s', async (_, raw, snippet) => {
  expect((await seal(raw)).summary).toMatchObject({ subject: 'Offer', snippet });
});

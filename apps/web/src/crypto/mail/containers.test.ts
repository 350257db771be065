// Messages attached to messages, and Outlook envelopes: what is shown of them, and what search
// finds in them.
import type { Email } from '@keyfold/contract';
import { type ParsedMessage, parseMessage } from '@keyfold/mail/mime/parse';
import { writeMsg } from '@keyfold/testing/msg-file';
import { writeTnef } from '@keyfold/testing/tnef-file';
import { expect, test } from 'vitest';
import { indexedMail } from '../reading/search-texts.ts';
import { openContainer, unpackEnvelope } from './containers.ts';
import { aroundOf, findEnvelopes, withEnvelope } from './envelopes.ts';

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const pdf = utf8('%PDF-1.4 offer');
const envelope = (html: string) =>
  writeTnef({
    properties: [
      { id: 0x1013, type: 'binary', value: utf8(html) },
      { id: 0x3fde, type: 'int', value: 65001 },
    ],
    files: [{ title: 'offer.pdf', content: pdf }],
  });
const mailWith = (text: string, name: string, type: string, content: Uint8Array): Promise<ParsedMessage> =>
  parseMessage(
    utf8(
      [
        'From: bert@firm.example',
        'Subject: s',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain; charset=utf-8',
        '',
        text,
        '--b',
        `Content-Type: ${type}; name="${name}"`,
        `Content-Disposition: attachment; filename="${name}"`,
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from(content).toString('base64'),
        '--b--',
        '',
      ].join('\r\n'),
    ),
  );

async function unpacked(text: string, html: string): Promise<ParsedMessage> {
  const mail = await mailWith(text, 'winmail.dat', 'application/ms-tnef', envelope(html));
  const [index = -1] = findEnvelopes(mail);
  const content = mail.attachments[index]?.content ?? new Uint8Array();
  return withEnvelope(mail, index, await unpackEnvelope(content, aroundOf(mail)));
}

test.each([
  [
    'the same words are shown once, with their looks',
    'Dear Anna,\nthe offer.',
    '<p>Dear <b>Anna</b>, the offer.</p>',
    ['<b>Anna</b>'],
    1,
  ],
  ['a body that is in the envelope alone is shown', '', '<p>Only <i>here</i></p>', ['<i>here</i>'], 1],
  [
    'two bodies are both shown',
    'A notice <of> the server.',
    '<p>The letter.</p>',
    ['A notice &lt;of> the server.', 'The letter.'],
    1,
  ],
])('%s', async (_, text, html, parts, times) => {
  const message = await unpacked(text, html);
  for (const part of parts) expect(message.html?.split(part)).toHaveLength(times + 1);
  expect(message.attachments.map(({ filename }) => filename)).toEqual(['winmail.dat', 'offer.pdf']);
  expect(message.attachments[0]).toMatchObject({ isUnpacked: true });
});

test('a file that the message already has is not shown twice', async () => {
  const around = { html: null, text: 'x', files: [['offer.pdf', pdf.length]] } as const;
  expect((await unpackEnvelope(envelope('<p>x</p>'), around)).files).toEqual([]);
});

test('an .eml file shows the content of the envelopes in it', async () => {
  const eml = utf8(
    `From: a@b.example\r\nContent-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(envelope('<p>Inside</p>')).toString('base64')}\r\n`,
  );
  const message = await openContainer(eml);
  expect(message.html).toContain('Inside');
  expect(message.attachments.map(({ filename }) => filename)).toContain('offer.pdf');
});

test.each([
  ['not_a_message', utf8('{"a":1}')],
  ['not_a_message', new Uint8Array(2_000).fill(7)],
  ['damaged', writeMsg({ properties: [{ id: 0x37, type: 'text', value: 's' }] }).slice(0, 33)],
  ['too_large', new Uint8Array(42_000_000)],
])('rejects a file with the reason %s', async (reason, bytes) => {
  await expect(openContainer(bytes)).rejects.toMatchObject({ reason });
});

async function textsOf(mail: ParsedMessage, sealed: Uint8Array = new Uint8Array()) {
  const email = { id: 'm', received_at: '2026-01-01T00:00:00Z', attachments: [], sent: false, draft: false };
  return (
    await indexedMail(email as unknown as Email, mail, { fetchFile: async () => sealed, openContainer })
  ).texts;
}

test('the text of attached messages is indexed in every format and storage', async () => {
  const msg = writeMsg({
    properties: [
      { id: 0x37, type: 'text', value: 'Outlook subject' },
      { id: 0x1000, type: 'text', value: 'Outlook words' },
    ],
  });
  const inMsg = await textsOf(await mailWith('x', 'a.msg', 'application/vnd.ms-outlook', msg));
  expect(inMsg.body).toMatch(/Outlook subject[\s\S]*Outlook words/);
  const inTnef = await textsOf(
    await mailWith('x', 'winmail.dat', 'application/ms-tnef', envelope('<p>Envelope</p>')),
  );
  expect(inTnef.body).toContain('Envelope');
  expect(inTnef.filename).toContain('offer.pdf');
  const mail = await mailWith('x', 'a.eml', 'application/octet-stream', utf8('x'));
  const far = mail.attachments.map(file => ({
    ...file,
    content: new Uint8Array(),
    external: { externalId: 'f', sizeBytes: 40, key: 'k' },
  }));
  const sealed = utf8('From: dora@far.example\r\nSubject: s\r\n\r\nSealed words');
  expect((await textsOf({ ...mail, attachments: far }, sealed)).body).toContain('Sealed words');
});

test('an unreadable file removes no other text from the index', async () => {
  const mail = await mailWith(
    'Words around',
    'a.msg',
    'application/vnd.ms-outlook',
    new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]),
  );
  expect((await textsOf(mail)).body).toContain('Words around');
});

test('bodies that nearly contain each other are compared quickly', async () => {
  const words = 'a'.repeat(90_000);
  const startedAt = performance.now();
  const around = { html: null, text: 'a'.repeat(200_000), files: [] } as const;
  const { html } = await unpackEnvelope(envelope(`<p>${words}b${words}</p>`), around);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(html).toContain(`${words}b`);
});

test('text of several megabytes is kept for search only up to the index limit', async () => {
  const long = 'word '.repeat(200_000);
  const { body } = await textsOf(
    await mailWith(long, 'a.eml', 'message/rfc822', utf8(`Subject: s\r\n\r\n${long}`)),
  );
  expect(body).toHaveLength(400_000);
});

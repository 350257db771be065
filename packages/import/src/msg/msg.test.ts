// Outlook .msg files that the tests write themselves, intact and damaged.
import { type MsgProperty, type TestMsg, writeMsg } from '@keyfold/testing/msg-file';
import { describe, expect, test } from 'vitest';
import { ImportError } from '../errors.ts';
import { TAGS } from '../mapi/tags.ts';
import { isCompoundFile, openMsg } from './reader.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (id: number, value: string): MsgProperty => ({ id, type: 'text', value });
const ansi = (id: number, value: string): MsgProperty => ({ id, type: 'text', value, isAnsi: true });
const int = (id: number, value: number): MsgProperty => ({ id, type: 'int', value });
const binary = (id: number, value: Uint8Array): MsgProperty => ({ id, type: 'binary', value });
const open = (msg: TestMsg) => openMsg(writeMsg(msg));

const PDF = utf8('%PDF-1.4 invoice');
const BASE = [
  text(TAGS.messageClass, 'IPM.Note'),
  text(TAGS.subject, 'Rechnung März'),
  text(TAGS.senderName, 'Carla Example'),
  text(TAGS.senderSmtp, 'carla@other.example'),
  { id: TAGS.submitTime, type: 'time', value: new Date('2026-03-02T08:00:00Z') } as const,
];
const WHOLE: TestMsg = {
  properties: [...BASE, text(TAGS.body, 'The text of the invoice.')],
  recipients: [
    [int(TAGS.recipientType, 1), text(TAGS.displayName, 'Bert'), text(TAGS.smtpAddress, 'bert@firm.example')],
    [int(TAGS.recipientType, 2), text(TAGS.displayName, 'Dora'), text(TAGS.smtpAddress, 'dora@firm.example')],
  ],
  files: [
    {
      properties: [text(TAGS.attachLongName, 'Rechnung 7.pdf'), text(TAGS.attachType, 'application/pdf')],
      content: PDF,
    },
    { properties: [text(TAGS.attachLongName, 'big.bin')], content: new Uint8Array(20_000).fill(7) },
  ],
};

test('reads the people, date, subject, text and attachments of a message', async () => {
  const message = await open(WHOLE);
  expect(message).toMatchObject({
    from: { name: 'Carla Example', address: 'carla@other.example' },
    to: [{ name: 'Bert', address: 'bert@firm.example' }],
    cc: [{ name: 'Dora', address: 'dora@firm.example' }],
    subject: 'Rechnung März',
    date: '2026-03-02T08:00:00.000Z',
  });
  expect(message.text).toContain('The text of the invoice.');
  expect(message.attachments).toMatchObject([
    { filename: 'Rechnung 7.pdf', mimeType: 'application/pdf', content: PDF },
    { filename: 'big.bin', content: new Uint8Array(20_000).fill(7) },
  ]);
});

test('ten megabytes are read quickly', async () => {
  const content = new Uint8Array(10 * 1024 * 1024).map((_, index) => (index * 31) % 251);
  const bytes = writeMsg({
    properties: BASE,
    files: [{ properties: [text(TAGS.attachLongName, 'a.bin')], content }],
  });
  const start = performance.now();
  const { attachments } = await openMsg(bytes);
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(Buffer.compare(attachments[0]?.content ?? new Uint8Array(), content)).toBe(0);
});

test('HTML keeps its inline pictures', async () => {
  const message = await open({
    properties: [
      ...BASE,
      binary(TAGS.html, utf8('<p>Grüße <img src="cid:pic@x"></p>')),
      int(TAGS.internetCodePage, 65001),
    ],
    files: [
      {
        properties: [
          text(TAGS.attachLongName, 'pic.png'),
          text(TAGS.attachType, 'image/png'),
          text(TAGS.attachContentId, 'pic@x'),
        ],
        content: utf8('png'),
      },
    ],
  });
  expect(message.html).toContain('Grüße');
  expect(message.attachments).toMatchObject([{ filename: 'pic.png', contentId: '<pic@x>', related: true }]);
});

test('8-bit text uses the code page of the locale, not the Internet code page', async () => {
  const message = await open({
    properties: [
      ansi(TAGS.subject, '\x93\xfa\x96{\x8c\xea'),
      ansi(TAGS.body, '\x96{\x95\xb6'),
      int(TAGS.internetCodePage, 50220),
      int(TAGS.messageLocale, 1041),
    ],
  });
  expect([message.subject, message.text?.trim()]).toEqual(['日本語', '本文']);
});

test('the transport headers of a message are kept', async () => {
  const headers =
    'From: "Carla" <carla@other.example>\r\nDate: Mon, 2 Mar 2026 09:00:00 +0100\r\nX-Mailer: Quill\r\n';
  const message = await open({ properties: [...BASE, text(TAGS.transportHeaders, headers)] });
  expect(message.headers.map(({ key }) => key)).toContain('x-mailer');
  expect(message.date).toBe('2026-03-02T08:00:00.000Z');
});

test('a sender without an address keeps the name only', async () => {
  const exchange = [
    text(TAGS.subject, 's'),
    text(TAGS.senderName, 'Carla'),
    text(TAGS.senderAddress, '/o=Firm/cn=Recipients/cn=carla'),
  ];
  expect((await open({ properties: exchange })).from).toEqual({ name: 'Carla', address: '' });
  expect((await open({ properties: [text(TAGS.subject, 'draft')] })).from).toBeNull();
});

test('embedded messages become attachments, up to a depth limit', async () => {
  let inner: TestMsg = { properties: [...BASE, text(TAGS.body, 'innermost')] };
  for (let depth = 0; depth < 3; depth++)
    inner = {
      properties: [text(TAGS.subject, `level ${depth}`)],
      files: [{ properties: [int(TAGS.attachMethod, 5)], inner }],
    };
  const { attachments } = await open(inner);
  expect(attachments).toMatchObject([{ filename: 'level 1.eml', mimeType: 'message/rfc822' }]);
  const raw = new TextDecoder().decode(attachments[0]?.content);
  expect(raw).toContain('innermost');
  for (let depth = 0; depth < 20; depth++)
    inner = { properties: [text(TAGS.subject, 'x')], files: [{ inner }] };
  expect((await open(inner)).attachments.length).toBeLessThanOrEqual(1);
  for (let depth = 0; depth < 40; depth++)
    inner = { properties: [text(TAGS.subject, 'x')], files: [{ inner }] };
  await expect(open(inner)).rejects.toThrow(ImportError);
});

describe('a damaged file', () => {
  const whole = writeMsg(WHOLE);
  const changed = (change: (view: DataView, bytes: Uint8Array) => void): Uint8Array => {
    const bytes = whole.slice();
    change(new DataView(bytes.buffer), bytes);
    return bytes;
  };
  const codeOf = (bytes: Uint8Array) =>
    openMsg(bytes).then(
      () => 'read',
      (error: ImportError) => error.code,
    );

  test('is refused with the matching error code', async () => {
    expect(isCompoundFile(whole)).toBe(true);
    expect(await codeOf(utf8('From: a@b.example\r\n\r\nhi'))).toBe('not_this_format');
    expect(await codeOf(whole.slice(0, 33))).toBe('too_short');
    expect(['too_short', 'damaged']).toContain(await codeOf(whole.slice(0, whole.length - 3_000)));
  });

  test('with circular chains is refused quickly', async () => {
    const start = performance.now();
    const table = (view: DataView) => (view.getUint32(0x4c, true) + 1) * 512;
    for (let sector = 0; sector < 40; sector++)
      for (const to of [0, sector, sector - 1])
        await codeOf(changed(view => view.setInt32(table(view) + 4 * sector, to, true)));
    // The list of lists, the directory and the tables as endless chains.
    const lists = changed(view => {
      view.setUint32(0x2c, 5_000, true);
      view.setUint32(0x44, 0, true);
      view.setUint32(0x48, 0x7fff_ffff, true);
    });
    expect(await codeOf(lists)).toBe('damaged');
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('fails only with an ImportError, wherever the damage is', async () => {
    let seed = 11;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 400; round++) {
      const bytes = whole.slice(0, round % 4 === 0 ? 512 + random(whole.length - 512) : whole.length);
      for (let change = 0; change < 1 + random(8); change++) {
        const at = random(4) === 0 ? 8 + random(504) : 8 + random(bytes.length - 8);
        bytes[at] = random(3) === 0 ? 0xff : random(256);
      }
      await openMsg(bytes).catch(error => expect(error).toBeInstanceOf(ImportError));
    }
  });
});

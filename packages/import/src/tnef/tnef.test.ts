// winmail.dat files that the tests write themselves, as Exchange and older programs do.
import { type TestTnef, type TnefProperty, writeTnef } from '@keyfold/testing/tnef-file';
import { describe, expect, test } from 'vitest';
import { ImportError } from '../errors.ts';
import { FAMILIES, TAGS } from '../mapi/tags.ts';
import { isTnef, openTnef } from './reader.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (id: number, value: string): TnefProperty => ({ id, type: 'text', value });
const int = (id: number, value: number): TnefProperty => ({ id, type: 'int', value });
const binary = (id: number, value: Uint8Array): TnefProperty => ({ id, type: 'binary', value });
const open = (tnef: TestTnef) => openTnef(writeTnef(tnef));
const PDF = utf8('%PDF-1.4 offer');

describe('the body', () => {
  test('is the HTML in its own code page', async () => {
    const html = Uint8Array.from('<p>Gr\xfc\xdfe</p>', char => char.charCodeAt(0));
    const message = await open({ properties: [binary(TAGS.html, html), int(TAGS.internetCodePage, 1252)] });
    expect(message.html).toContain('<p>Grüße</p>');
  });

  test('is HTML in UTF-8, even if only its meta charset says so', async () => {
    const html = utf8('<html><head><meta charset="utf-8"></head><p>Zażółć</p></html>');
    expect((await open({ properties: [binary(TAGS.html, html)] })).html).toContain('Zażółć');
  });

  test('is the text of older programs in their code page, declared before or after it', async () => {
    const body = Uint8Array.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    expect((await open({ codePage: 1251, body })).text?.trim()).toBe('Привет');
    expect((await open({ body, properties: [int(TAGS.internetCodePage, 1251)] })).text?.trim()).toBe(
      'Привет',
    );
  });

  test('is the text property, Unicode or not', async () => {
    expect((await open({ properties: [text(TAGS.body, 'Dear Anna – 日本')] })).text?.trim()).toBe(
      'Dear Anna – 日本',
    );
    const ansi: TnefProperty = { id: TAGS.body, type: 'text', value: 'Caf\xe9', isAnsi: true };
    expect((await open({ codePage: 1252, properties: [ansi] })).text?.trim()).toBe('Café');
  });

  test('is the HTML wrapped in RTF', async () => {
    const rtf = utf8(
      '{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\*\\htmltag64 <p>}Hello {\\*\\htmltag84 <b>}you{\\*\\htmltag92 </b>}}',
    );
    const head = new Uint8Array(16);
    const view = new DataView(head.buffer);
    view.setUint32(0, rtf.length + 12, true);
    view.setUint32(4, rtf.length, true);
    view.setUint32(8, 0x414c454d, true);
    const message = await open({ properties: [binary(TAGS.rtf, Uint8Array.from([...head, ...rtf]))] });
    expect(message.html).toContain('Hello <b>you</b>');
  });

  test('may be missing, which leaves only attachments', async () => {
    const message = await open({ files: [{ title: 'A.TXT', content: utf8('a') }] });
    expect([message.text?.trim() || null, message.html]).toEqual([null, null]);
    expect(message.attachments).toHaveLength(1);
  });
});

describe('attachments', () => {
  test('have their long names and types instead of the short names of older programs', async () => {
    const { attachments } = await open({
      files: [
        {
          title: 'OFFER2~1.PDF',
          content: PDF,
          properties: [
            text(TAGS.attachLongName, 'Offer 2231 Müller.pdf'),
            text(TAGS.attachType, 'application/pdf'),
          ],
        },
      ],
    });
    expect(attachments).toMatchObject([
      {
        filename: 'Offer 2231 Müller.pdf',
        mimeType: 'application/pdf',
        disposition: 'attachment',
        content: PDF,
      },
    ]);
  });

  test('are separated even without start markers', async () => {
    const { attachments } = await open({
      files: [
        { title: 'A.TXT', content: utf8('a'), hasStart: false },
        { title: 'B.TXT', content: utf8('b'), hasStart: false },
        { title: 'C.TXT', content: utf8('c') },
      ],
    });
    expect(attachments.map(({ filename }) => filename)).toEqual(['A.TXT', 'B.TXT', 'C.TXT']);
    expect(attachments.map(({ content }) => new TextDecoder().decode(content))).toEqual(['a', 'b', 'c']);
  });

  test('may have their content in a property', async () => {
    const { attachments } = await open({
      files: [{ properties: [text(TAGS.attachLongName, 'p.bin'), binary(TAGS.attachData, PDF)] }],
    });
    expect(attachments).toMatchObject([{ filename: 'p.bin', content: PDF }]);
  });

  test('shown by the HTML keep their Content-ID; others are files', async () => {
    const picture = (name: string, id: string) => ({
      title: 'PIC.PNG',
      content: utf8(name),
      properties: [
        text(TAGS.attachLongName, name),
        text(TAGS.attachType, 'image/png'),
        text(TAGS.attachContentId, id),
      ],
    });
    const { attachments } = await open({
      properties: [binary(TAGS.html, utf8('<img src="cid:one@x">')), int(TAGS.internetCodePage, 65001)],
      files: [picture('one.png', 'one@x'), picture('two.png', 'two@x')],
    });
    expect(attachments.map(({ filename, contentId }) => [filename, contentId])).toEqual([
      ['one.png', '<one@x>'],
      ['two.png', null],
    ]);
  });

  test('have names in the declared code page', async () => {
    const { attachments } = await open({ codePage: 932, files: [{ title: '\x93\xfa.txt', content: PDF }] });
    expect(attachments[0]?.filename).toBe('日.txt');
  });

  test('that are messages become messages with their own attachments', async () => {
    const inner: TestTnef = {
      subject: 'Inner subject',
      properties: [
        text(TAGS.body, 'Inner text'),
        text(TAGS.senderName, 'Carla'),
        text(TAGS.senderAddress, 'carla@other.example'),
        { id: TAGS.submitTime, type: 'time', value: new Date('2026-03-02T09:00:00Z') },
      ],
      recipients: [
        [
          int(TAGS.recipientType, 1),
          text(TAGS.displayName, 'Bert'),
          text(TAGS.smtpAddress, 'bert@firm.example'),
        ],
      ],
      files: [{ title: 'inner.pdf', content: PDF }],
    };
    const { attachments } = await open({ files: [{ properties: [int(TAGS.attachMethod, 5)], inner }] });
    expect(attachments).toMatchObject([{ filename: 'Inner subject.eml', mimeType: 'message/rfc822' }]);
    const raw = new TextDecoder().decode(attachments[0]?.content);
    for (const part of ['Inner text', 'carla@other.example', 'bert@firm.example', '2 Mar 2026', 'inner.pdf'])
      expect(raw).toContain(part);
  });

  test('nested too deeply are dropped', async () => {
    let inner: TestTnef = { subject: 'deepest' };
    for (let depth = 0; depth < 12; depth++) inner = { subject: `level ${depth}`, files: [{ inner }] };
    const { attachments } = await open(inner);
    expect(attachments.length).toBeLessThanOrEqual(1);
  });
});

test('a meeting request becomes an invitation', async () => {
  const at = (name: number, id: number, value: string): TnefProperty => ({
    id,
    type: 'time',
    value: new Date(value),
    named: { family: FAMILIES.appointment, name },
  });
  const message = await open({
    messageClass: 'IPM.Microsoft Schedule.MtgReq',
    subject: 'Harvest plan',
    properties: [
      at(0x820d, 0x8000, '2026-05-04T08:00:00Z'),
      at(0x820e, 0x8001, '2026-05-04T09:00:00Z'),
      { ...text(0x8002, 'Room 4'), named: { family: FAMILIES.appointment, name: 0x8208 } },
      { ...text(0x8003, 'x'), named: { family: FAMILIES.publicStrings, name: 'Keywords' } },
    ],
  });
  const calendar = message.attachments.find(({ mimeType }) => mimeType === 'text/calendar');
  const lines = new TextDecoder().decode(calendar?.content);
  for (const line of [
    'METHOD:REQUEST',
    'SUMMARY:Harvest plan',
    'LOCATION:Room 4',
    'DTSTART:20260504T080000Z',
  ])
    expect(lines).toContain(line);
});

describe('damaged data', () => {
  const whole = writeTnef({
    subject: 'Cut',
    properties: [text(TAGS.body, 'A body that is there')],
    files: [
      { title: 'A.TXT', content: utf8('a'.repeat(200)) },
      { title: 'B.TXT', content: utf8('b'.repeat(200)) },
    ],
  });

  test('yields its intact parts and no partial file', async () => {
    const message = await openTnef(whole.slice(0, whole.length - 100));
    expect(message.text).toContain('A body that is there');
    expect(message.attachments.map(({ filename }) => filename)).toEqual(['A.TXT']);
  });

  test('is refused when it is not TNEF', async () => {
    expect(isTnef(utf8('hello'))).toBe(false);
    await expect(openTnef(utf8('no tnef at all'))).rejects.toThrow(ImportError);
  });

  test('fails only with an ImportError, wherever it is truncated or changed', async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 400; round++) {
      const bytes = whole.slice(0, round % 3 === 0 ? random(whole.length) : whole.length);
      for (let change = 0; change < 1 + random(6); change++)
        if (bytes.length > 6) bytes[6 + random(bytes.length - 6)] = random(256);
      await openTnef(bytes).catch(error => expect(error).toBeInstanceOf(ImportError));
    }
  });

  test('made to exhaust the reader is read in little time', async () => {
    const start = performance.now();
    const many = Uint8Array.from({ length: 2_000_000 }, (_, index) => whole[index % whole.length] ?? 0);
    many.set(whole.subarray(0, 6));
    await openTnef(many).catch(() => undefined);
    const empties = new Uint8Array(11 * 300_000 + 6);
    empties.set(whole.subarray(0, 6));
    for (let at = 6; at < empties.length; at += 11) empties.set([2, 0x02, 0x90, 6, 0, 0, 0, 0, 0], at);
    await openTnef(empties).catch(() => undefined);
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

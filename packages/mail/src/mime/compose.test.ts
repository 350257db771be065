// Tests the composer against three readers: Keyfold's own, postal-mime through it, and Python's
// email package if installed.

import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { byteString, toBase64, utf8 } from '../bytes.ts';
import { type ComposeInput, composeMessage } from './compose.ts';
import { listExternal } from './external.ts';
import { parseMessage } from './parse.ts';
import { reattach } from './reattach.ts';

const PICTURE = new Uint8Array(3_000).map((_, index) => index * 13);
const key = toBase64(new Uint8Array(32).fill(7));

const base: ComposeInput = {
  from: { name: 'Jürgen "JJ" Müller, Dr.', address: 'jj@bücher.example' },
  to: [
    { name: 'Zoë', address: 'zoe@example.org' },
    { name: '', address: 'plain@example.org' },
  ],
  cc: [{ name: 'Doe, Jane', address: 'jane@example.org' }],
  subject: 'Angebot für 日本 – “Zitat” und ein sehr langer Betreff, der über mehrere Zeilen geht 🎉',
  date: new Date('2026-11-21T10:20:30Z'),
  messageId: '<id.1@example.org>',
  inReplyTo: '<id.0@example.org>',
  references: Array.from({ length: 30 }, (_, index) => `<reference-number-${index}@mail.example.org>`),
  text: 'Grüße\n.\nFrom here\n\ttab and trailing space \n日本語'.concat('\n', 'long '.repeat(60)),
};

const full: ComposeInput = {
  ...base,
  html: `<p>Grüße <img src="cid:pic@x"> ${'word '.repeat(300)}</p>`,
  files: [
    { filename: 'bild "1".png', mimeType: 'image/png', contentId: 'pic@x', content: PICTURE },
    { filename: 'größe & €-Liste, final; v2.pdf', mimeType: 'application/pdf', content: PICTURE },
    { filename: `${'sehr-langer-name-'.repeat(12)}ß.txt`, mimeType: 'text/plain', content: utf8('héllo\n') },
    { filename: 'weitergeleitet.eml', mimeType: 'message/rfc822', content: utf8('Subject: inner\r\n\r\nhi') },
  ],
};

describe('composing', () => {
  test('every line is 7-bit, ends in CRLF and has at most 78 characters', () => {
    const text = byteString(composeMessage(full));
    expect(text.replace(/\r\n/g, '')).not.toMatch(/[\r\n]/);
    expect(text).toMatch(/^[\s\u0020-\u007e]*$/);
    for (const line of text.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
  });

  test('the parser reads back the composed message', async () => {
    const message = await parseMessage(composeMessage(full), { isPayload: false });
    expect(message).toMatchObject({
      from: { name: base.from.name, address: 'jj@xn--bcher-kva.example' },
      to: base.to,
      cc: base.cc,
      bcc: [],
      subject: base.subject,
      date: '2026-11-21T10:20:30.000Z',
      messageId: base.messageId,
      inReplyTo: base.inReplyTo,
      references: base.references?.join(' '),
      recovered: false,
    });
    expect(message.text?.trimEnd()).toContain(base.text?.trimEnd());
    expect(message.html).toContain(full.html as string);
    const [picture, pdf, note] = message.attachments;
    expect(picture).toMatchObject({ filename: 'bild "1".png', contentId: '<pic@x>', related: true });
    expect(new Uint8Array(picture?.content ?? [])).toEqual(PICTURE);
    expect(pdf).toMatchObject({ filename: 'größe & €-Liste, final; v2.pdf', disposition: 'attachment' });
    expect(note?.filename).toBe(full.files?.[2]?.filename);
    expect(message.attachments).toHaveLength(4);
  });

  test('a plain-text message has no parts', async () => {
    const raw = composeMessage({ ...base, text: 'hi' });
    expect(byteString(raw)).toContain('Content-Type: text/plain; charset=utf-8\r\n');
    expect(byteString(raw)).not.toContain('multipart');
    expect((await parseMessage(raw)).text?.trim()).toBe('hi');
  });

  test('an invitation is an alternative of the text', async () => {
    const calendar = { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n' };
    const message = await parseMessage(composeMessage({ ...base, calendar }));
    expect(message.attachments).toMatchObject([{ mimeType: 'text/calendar', method: 'REQUEST' }]);
  });

  test('Bcc is written only when given', () => {
    expect(byteString(composeMessage(base))).not.toMatch(/^bcc/im);
    expect(byteString(composeMessage({ ...base, bcc: [{ name: '', address: 'b@c.de' }] }))).toContain(
      '\r\nBcc: b@c.de\r\n',
    );
  });

  test('sealed files become references that the server can replace again', async () => {
    const raw = composeMessage({
      ...full,
      files: [
        {
          filename: 'bild.png',
          mimeType: 'image/png',
          contentId: 'pic@x',
          content: { id: 'f1', key, sizeBytes: 3000 },
        },
        { filename: 'größe.pdf', mimeType: 'application/pdf', content: { id: 'f2', key, sizeBytes: 3000 } },
      ],
    });
    expect(listExternal(raw)).toEqual([
      {
        id: 'f1',
        key,
        sizeBytes: 3000,
        name: 'bild.png',
        type: 'image/png',
        disposition: 'inline',
        contentId: '<pic@x>',
      },
      {
        id: 'f2',
        key,
        sizeBytes: 3000,
        name: 'größe.pdf',
        type: 'application/pdf',
        disposition: 'attachment',
        contentId: null,
      },
    ]);
    const message = await parseMessage(raw);
    expect(message.attachments).toMatchObject([
      {
        filename: 'bild.png',
        related: true,
        contentId: '<pic@x>',
        external: { externalId: 'f1', sizeBytes: 3000, key },
      },
      { filename: 'größe.pdf', mimeType: 'application/pdf', external: { externalId: 'f2' } },
    ]);
    const whole = await reattach(raw, async () => PICTURE);
    expect(listExternal(whole)).toEqual([]);
    const delivered = await parseMessage(whole, { isPayload: false });
    expect(delivered.attachments.map(file => [file.filename, file.content.length])).toEqual([
      ['bild.png', 3000],
      ['größe.pdf', 3000],
    ]);
  });

  test('no value can inject a header field', () => {
    const raw = byteString(
      composeMessage({
        ...base,
        subject: 'x\r\nBcc: evil@example.com',
        messageId: '<a@b>\r\nX-Evil: 1',
        extraHeaders: [['X-Note', 'a\nX-Evil: 2']],
        files: [{ filename: 'a\r\nX-Evil: 3', mimeType: 'text/plain\r\nX-Evil: 4', content: utf8('x') }],
      }),
    );
    expect(raw).not.toMatch(/^(?:X-Evil|Bcc)/m);
    for (const bad of [
      { extraHeaders: [['Subject', 'x']] as const },
      { extraHeaders: [['A: b', 'x']] as const },
    ]) {
      expect(() => composeMessage({ ...base, ...bad })).toThrow('Invalid header');
    }
    const evil = { filename: 'a', mimeType: 'a/b', contentId: 'x>\r\nX-Evil: 5', content: utf8('x') };
    expect(() => composeMessage({ ...base, html: 'x', files: [evil] })).toThrow('Invalid header');
  });

  test('a forwarded message that is not clean 7-bit is attached as a plain file', async () => {
    for (const content of [
      'Subject: \u00e9\r\n\r\nx',
      'Subject: x\n\ny',
      `Subject: x\r\n\r\n${'y'.repeat(1000)}`,
    ]) {
      const files = [{ filename: 'm.eml', mimeType: 'message/rfc822', content: utf8(content) }];
      const [file] = (await parseMessage(composeMessage({ ...base, files }))).attachments;
      expect(file).toMatchObject({ filename: 'm.eml', mimeType: 'application/octet-stream' });
      expect(file?.content).toEqual(utf8(content));
    }
  });

  test('references inside a forwarded message are made inert', async () => {
    const content = utf8(
      `Content-Type: message/external-body; access-type="x-keyfold"; id="a"; size=1; key="${key}"\r\n\r\nContent-Type: a/b\r\n`,
    );
    const raw = composeMessage({
      ...base,
      files: [{ filename: 'm.eml', mimeType: 'message/rfc822', content }],
    });
    expect(listExternal(raw)).toEqual([]);
    expect(byteString(raw)).toContain('\r\nX-Keyfold-Inert-Content-Type: message/external-body');
    expect(byteString(await reattach(raw, async () => content))).not.toContain('Inert');
  });

  test('text that resembles a reference or an inert field is unchanged', async () => {
    const text = `X-Keyfold-Inert-Content-Type: x\r\nContent-Type: message/external-body; access-type="x-keyfold"; id="a"; size=1; key="${key}"`;
    const raw = composeMessage({ ...base, text });
    expect(listExternal(raw)).toEqual([]);
    expect((await parseMessage(raw)).text?.trim()).toBe(text.replace('\r\n', '\n'));
  });
});

const PYTHON = `
import sys, json, email, email.policy
m = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
defects = [str(d) for p in m.walk() for d in p.defects]
out = {'subject': m['subject'], 'from': [[a.display_name, a.addr_spec] for a in m['from'].addresses],
 'to': [[a.display_name, a.addr_spec] for a in m['to'].addresses], 'defects': defects,
 'text': m.get_body(('plain',)).get_content(), 'html': (m.get_body(('html',)) or m).get_content() if m.get_body(('html',)) else None,
 'files': [[p.get_filename(), p.get_content_type()] for p in m.walk() if p.get_filename()]}
sys.stdout.write(json.dumps(out))
`;
const python = spawnSync('python3', ['-c', 'import email.policy'], { timeout: 20_000 });

describe.skipIf(python.status !== 0)(
  `Python's email package (${python.status === 0 ? 'present' : 'python3 is absent'})`,
  () => {
    test('parses the message without defects and finds the same content', () => {
      const run = spawnSync('python3', ['-c', PYTHON], { input: composeMessage(full), timeout: 20_000 });
      expect(run.stderr.toString()).toBe('');
      const read = JSON.parse(run.stdout.toString());
      expect(read.defects).toEqual([]);
      expect(read.subject).toBe(base.subject);
      expect(read.from).toEqual([[base.from.name, 'jj@xn--bcher-kva.example']]);
      expect(read.to).toEqual([
        ['Zoë', 'zoe@example.org'],
        ['', 'plain@example.org'],
      ]);
      expect(read.text.replaceAll('\r\n', '\n').trimEnd()).toBe(base.text?.trimEnd());
      expect(read.html.trimEnd()).toBe(full.html);
      expect(read.files).toEqual(full.files?.map(file => [file.filename, file.mimeType]));
    });
  },
);

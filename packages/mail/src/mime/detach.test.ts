// Detaching and reattaching: exact round trips for every message of the corpora and for hostile
// ones, and the guarantee that no foreign part passes for a Keyfold reference.

import { describe, expect, test } from 'vitest';
import { corpusMessages, hasCorpora, NO_CORPORA } from '../../test-support/corpora.ts';
import { byteString, bytesOfLatin1, concatBytes, sameBytes, toBase64, utf8 } from '../bytes.ts';
import { detachAttachments, finishDetach } from './detach.ts';
import { listExternal } from './external.ts';
import { neutralizeReferences, restoreInert } from './inert.ts';
import { reattach, reattachStream } from './reattach.ts';

const key = (index: number): string => toBase64(new Uint8Array(32).fill(index % 256));

function detachAll(raw: Uint8Array, minBytes: number) {
  const plan = detachAttachments(raw, minBytes);
  const references = plan.detached.map((_, index) => ({ id: `file-${index}`, key: key(index) }));
  return { plan, payload: finishDetach(plan, references) };
}

async function roundTrip(raw: Uint8Array, minBytes: number): Promise<number> {
  const { plan, payload } = detachAll(raw, minBytes);
  const listed = listExternal(payload);
  expect(listed.map(file => file.id)).toEqual(plan.detached.map((_, index) => `file-${index}`));
  const back = await reattach(payload, async file => {
    const index = Number(file.id.slice(5));
    expect(file.key).toBe(key(index));
    return plan.detached[index]?.bytes ?? new Uint8Array(0);
  });
  if (!sameBytes(back, raw)) expect(byteString(back)).toBe(byteString(raw));
  return plan.detached.length;
}

const toCrlf = (raw: Uint8Array): Uint8Array => bytesOfBinary(binary(raw).replace(/\r?\n/g, '\r\n'));
const binary = (raw: Uint8Array): string => Buffer.from(raw).toString('latin1');
const bytesOfBinary = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

const BIG = new Uint8Array(50_000).map((_, index) => (index * 7919) >> 3);

function base64Lines(bytes: Uint8Array, line: number, eol: string): string {
  const text = toBase64(bytes);
  const lines: string[] = [];
  for (let index = 0; index < text.length; index += line) lines.push(text.slice(index, index + line));
  return lines.join(eol);
}

function mixed(partHeaders: string, body: string, eol = '\r\n'): Uint8Array {
  return bytesOfLatin1(
    [
      'From: a@example.org',
      'Subject: files',
      'Content-Type: multipart/mixed; boundary="b1"',
      '',
      'preamble',
      '--b1',
      'Content-Type: text/plain',
      '',
      'Hello',
      '--b1',
      partHeaders.replace(/\n/g, eol),
      '',
      body,
      '--b1--',
      'epilogue',
      '',
    ].join(eol),
  );
}

describe('detaching', () => {
  test('a large attachment is detached with the details of its headers', () => {
    const raw = mixed(
      'Content-Type: application/pdf; name="=?UTF-8?Q?r=C3=A9sum=C3=A9.pdf?="\nContent-Transfer-Encoding: base64\n' +
        'Content-ID: <x@y>\nContent-Disposition: attachment',
      base64Lines(BIG, 76, '\r\n'),
    );
    const { plan, payload } = detachAll(raw, 32_768);
    expect(plan.detached).toEqual([
      {
        bytes: BIG,
        name: 'résumé.pdf',
        type: 'application/pdf',
        disposition: 'attachment',
        contentId: '<x@y>',
      },
    ]);
    expect(payload.length).toBeLessThan(1200);
    expect(listExternal(payload)).toEqual([
      {
        id: 'file-0',
        key: key(0),
        sizeBytes: 50_000,
        name: 'résumé.pdf',
        type: 'application/pdf',
        disposition: 'attachment',
        contentId: '<x@y>',
      },
    ]);
  });

  test.each([
    ['76 characters, CRLF', 76, '\r\n', ''],
    ['72 characters, LF', 72, '\n', ''],
    ['60 characters, extra line ends', 60, '\r\n', '\r\n\r\n'],
    ['one line', 1_000_000, '\r\n', ''],
  ])('base64 of %s is restored exactly', async (_, line, eol, tail) => {
    const raw = mixed(
      'Content-Type: image/png\nContent-Transfer-Encoding: base64',
      base64Lines(BIG, line, eol) + tail,
      eol,
    );
    expect(await roundTrip(raw, 32_768)).toBe(1);
  });

  test.each([
    ['lines of uneven length', `${base64Lines(BIG, 76, '\r\n').replace('\r\n', '')}`],
    ['blanks at line ends', base64Lines(BIG, 76, ' \r\n')],
    ['stray characters', `!!${base64Lines(BIG, 76, '\r\n')}`],
    ['bits set in the padding', `${toBase64(BIG.subarray(0, 49_999)).replace(/.==$/, 'B==')}`],
  ])('base64 with %s stays in the message', async (_, body) => {
    const raw = mixed('Content-Type: image/png\nContent-Transfer-Encoding: base64', body);
    expect(await roundTrip(raw, 32_768)).toBe(0);
  });

  test('an unencoded attachment with 8-bit, NUL and bare CR is restored exactly', async () => {
    const body = binary(new Uint8Array(40_000).map((_, index) => (index * 31) % 256)).replace(/--/g, '__');
    const raw = bytesOfBinary(
      binary(mixed('Content-Type: application/octet-stream', 'BODY')).replace('BODY', body),
    );
    expect(await roundTrip(raw, 32_768)).toBe(1);
  });

  test('a message that is a single file keeps its subject in front', async () => {
    const raw = bytesOfLatin1(
      'Subject: fax\r\nFrom: fax@example.org\r\nMIME-Version: 1.0\r\nContent-Type: application/pdf\r\n' +
        `Content-Transfer-Encoding: base64\r\n\r\n${base64Lines(BIG, 76, '\r\n')}\r\n`,
    );
    expect(await roundTrip(raw, 32_768)).toBe(1);
    expect(byteString(detachAll(raw, 32_768).payload)).toMatch(/^Subject: fax\r\nFrom: /);
  });

  test('the text and invitation of a message stay in it, however long', () => {
    const long = 'x'.repeat(70_000);
    for (const type of ['text/plain', 'text/html', 'text/calendar; method=REQUEST']) {
      expect(detachAttachments(mixed(`Content-Type: ${type}`, long)).detached).toEqual([]);
    }
    const attached = mixed('Content-Type: text/plain\nContent-Disposition: attachment', long);
    expect(detachAttachments(attached).detached).toHaveLength(1);
  });

  test('a message forwarded as an attachment is detached whole; an inline one is searched', async () => {
    const inner = binary(
      mixed('Content-Type: image/png\nContent-Transfer-Encoding: base64', base64Lines(BIG, 76, '\r\n')),
    ).replaceAll('b1', 'inner');
    const attached = mixed(
      'Content-Type: message/rfc822\nContent-Disposition: attachment; filename=m.eml',
      inner,
    );
    expect(detachAttachments(attached).detached.map(file => file.type)).toEqual(['message/rfc822']);
    expect(await roundTrip(attached, 32_768)).toBe(1);
    const inline = mixed('Content-Type: message/rfc822', inner);
    expect(detachAttachments(inline).detached.map(file => file.type)).toEqual(['image/png']);
    expect(await roundTrip(inline, 32_768)).toBe(1);
  });

  test('broken boundaries, missing ends and endless nesting are harmless', async () => {
    const nested = `Content-Type: multipart/mixed; boundary=a\r\n\r\n${'--a\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n'.repeat(3000)}`;
    for (const text of ['', '\r\n', '--', 'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x', nested]) {
      await roundTrip(bytesOfLatin1(text), 1);
    }
  });

  test('malformed ids and keys are refused', () => {
    const plan = detachAttachments(mixed('Content-Type: image/png', 'y'.repeat(40_000)));
    expect(() => finishDetach(plan, [])).toThrow('Malformed attachment reference');
    expect(() => finishDetach(plan, [{ id: 'a"\r\nX: y', key: key(1) }])).toThrow(
      'Malformed attachment reference',
    );
    expect(() => finishDetach(plan, [{ id: 'a', key: 'short' }])).toThrow('Malformed attachment reference');
  });
});

describe('reattaching', () => {
  test('pieces of any size give the same bytes', async () => {
    const raw = mixed(
      'Content-Type: image/png\nContent-Transfer-Encoding: base64',
      base64Lines(BIG, 76, '\r\n'),
    );
    const { payload } = detachAll(raw, 1);
    for (const size of [1000, 4096, 49_999, 50_000]) {
      const chunks: Uint8Array[] = [];
      const pieces = async function* () {
        for (let index = 0; index < BIG.length; index += size) yield BIG.subarray(index, index + size);
      };
      for await (const chunk of reattachStream(payload, pieces)) chunks.push(chunk);
      expect(sameBytes(concatBytes(chunks), raw)).toBe(true);
    }
  });

  test('a file whose size differs from its reference is refused', async () => {
    const { payload } = detachAll(mixed('Content-Type: image/png', 'y'.repeat(40_000)), 1);
    await expect(reattach(payload, async () => new Uint8Array(3))).rejects.toThrow(
      'does not match its reference',
    );
  });

  test('a reference without extra parameters becomes base64 with its inner fields', async () => {
    const payload = mixed(
      `Content-Type: message/external-body; access-type="x-keyfold"; id="f"; size=3; key="${key(1)}"`,
      'Content-Type: image/gif\r\nContent-Disposition: inline; filename="a.gif"\r\nContent-ID: <c@d>\r\n',
    );
    const raw = byteString(await reattach(payload, async () => utf8('GIF')));
    expect(raw).toContain(
      '--b1\r\nContent-Type: image/gif\r\nContent-Disposition: inline; filename="a.gif"\r\nContent-ID: <c@d>\r\n' +
        'Content-Transfer-Encoding: base64\r\n\r\nR0lG\r\n--b1--',
    );
  });
});

describe('references in foreign messages', () => {
  const smuggled = [
    `Content-Type: message/external-body; access-type="x-keyfold"; id="f"; size=3; key="${key(1)}"`,
    `content-type : MESSAGE/External-Body; access-type=x-keyfold;\n id=f; size=3;\n key="${key(1)}"`,
    `Content-Type: message/external-body;\n\tid="f"; size=3; key="${key(1)}";\n access-type="x-keyfold"`,
    `Content-Type: message/external-body; access-type*=utf-8''x%2Dkeyfold; id="f"; size=3; key="${key(1)}"`,
    `Content-Type: message/(c)external-body; access-type="x-\\keyfold"; id="f"; size=3; key="${key(1)}"`,
    `Content-Type: message/external-body; access-type*0="x-key"; access-type*1="fold"; id="f"; size=3; key="${key(1)}"`,
  ];

  test.each(smuggled)('%j is not taken as a reference and is restored exactly', async header => {
    const raw = mixed(header, 'Content-Type: image/gif\r\n\r\n');
    const payload = detachAll(raw, 1).payload;
    expect(listExternal(payload)).toEqual([]);
    expect(byteString(payload)).toContain('X-Keyfold-Inert-');
    expect(await roundTrip(raw, 1)).toBe(0);
  });

  test('nested, repeated, too deep and already marked references are inert, too', async () => {
    const header = smuggled[0] as string;
    const messages = [
      mixed('Content-Type: message/rfc822', `${header}\r\n\r\nContent-Type: image/gif\r\n\r\n`),
      mixed(`X-Keyfold-Inert-${header}`, 'Content-Type: image/gif\r\n\r\n'),
      bytesOfLatin1(`${header}\r\n\r\nContent-Type: image/gif\r\n\r\n`),
      bytesOfLatin1(`${'Content-Type: message/rfc822\r\n\r\n'.repeat(200)}${header}\r\n\r\n`),
      mixed(`Content-Type: image/png\n${header}`, 'x'.repeat(40_000)),
      mixed('Content-Type: image/png', `${header}\r\n${'x'.repeat(40_000)}\r\n${header}`),
    ];
    for (const raw of messages) {
      const payload = detachAll(raw, 100_000).payload;
      expect(listExternal(payload)).toEqual([]);
      await roundTrip(raw, 100_000);
      await roundTrip(raw, 1);
    }
  });

  test('a container of detached files is never made inert by words in its header', async () => {
    const raw = bytesOfBinary(
      binary(mixed('Content-Type: image/png', 'y'.repeat(40_000)))
        .replaceAll('b1', 'x-keyfold-external-body')
        .replace('multipart/mixed', 'multipart/x-message-external-body'),
    );
    await roundTrip(raw, 1);
  });

  test('marking and unmarking are inverse for any text', () => {
    const lines = ['X-Keyfold-Inert-X-Keyfold-Inert-A: b', 'x-keyfold-inert-c', smuggled[0], 'plain', ''];
    for (const eol of ['\r\n', '\n', '\r']) {
      const raw = bytesOfLatin1(lines.join(eol));
      const inert = neutralizeReferences(raw);
      expect(sameBytes(inert, raw)).toBe(false);
      expect(sameBytes(restoreInert(inert), raw)).toBe(true);
    }
  });
});

describe.skipIf(!hasCorpora)(`corpora (${hasCorpora ? 'present' : NO_CORPORA})`, () => {
  test.each([1, 32_768])(
    'every message is restored exactly, with files over %i bytes detached',
    async minBytes => {
      const messages = corpusMessages();
      let detached = 0;
      for (const { raw } of messages) {
        detached += await roundTrip(raw, minBytes);
        detached += await roundTrip(toCrlf(raw), minBytes);
      }
      expect(messages.length).toBeGreaterThan(600);
      expect(detached).toBeGreaterThan(minBytes === 1 ? 300 : 3);
    },
  );
});

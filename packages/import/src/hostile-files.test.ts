// Truncated, scrambled and malicious files of every format except PST (see pst/hostile.test.ts).
// Each yields items, some of them broken, or an ImportError with a code that the UI has a text for;
// nothing else.

import { writeMsg } from '@keyfold/testing/msg-file';
import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, test } from 'vitest';
import { damaged, seeded } from '../test-support/mutate.ts';
import { sourceOfBytes } from './byte-source.ts';
import { createEmlReader } from './eml/reader.ts';
import { ImportError } from './errors.ts';
import { findFormat } from './format.ts';
import { readGmailLabels } from './gmail-labels.ts';
import type { ImportItem } from './items.ts';
import { ARCHIVE_DEPTH_MAX, MESSAGE_MAX_BYTES } from './limits.ts';
import { keywordTags } from './mail-state.ts';
import { readRtf } from './mapi/rtf-text.ts';
import { createMboxReader } from './mbox/reader.ts';
import { openMsg } from './msg/reader.ts';
import { findNamedPlace } from './place-names.ts';
import { splitMany } from './pst/property-bag.ts';
import { createZipReader } from './zip/reader.ts';

const COPIES = 120;
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const mail = (number: number): string =>
  `From: a@x.test\r\nSubject: Letter ${number}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
  `--b\r\n\r\nWords ${number}\r\n--b\r\nContent-Type: text/plain\r\n\r\n${'More. '.repeat(200)}\r\n--b--\r\n`;
const separator = 'From gus@outside.test Tue Mar  5 10:20:30 2019\r\n';
const mbox = Array.from({ length: 20 }, (_, at) => `${separator}${mail(at)}\r\n`).join('');

async function archiveOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false });
  for (const [name, content] of Object.entries(files))
    await zip.add(
      name,
      typeof content === 'string' ? new TextReader(content) : new Uint8ArrayReader(content),
    );
  return new Uint8Array(await (await zip.close()).arrayBuffer());
}
const maildir = () =>
  archiveOf({
    'Mail/cur/1:2,S': mail(1),
    'Mail/new/2': mail(2),
    'Mail/.Work/cur/3:2,RS': mail(3),
    'old.mbox': mbox,
    'people.vcf': 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Gus\r\nEND:VCARD\r\n',
  });

/** Returns the items of any file, or the code of the error when there are none. */
async function read(bytes: Uint8Array<ArrayBuffer>): Promise<ImportItem[] | string> {
  const source = sourceOfBytes(bytes);
  const items: ImportItem[] = [];
  try {
    const format = await findFormat(source);
    if (format === null || format === 'pst' || format === 'msg') return 'not_this_format';
    const open = { eml: createEmlReader, mbox: createMboxReader };
    const reader =
      format === 'zip'
        ? await createZipReader(source)
        : format === 'eml'
          ? open.eml(source, 'a')
          : open.mbox(source);
    await reader.outline();
    for await (const item of reader.items()) items.push(item);
    return items;
  } catch (error) {
    if (error instanceof ImportError) return error.code;
    throw error;
  }
}

const files = {
  eml: async () => bytesOf(mail(1)),
  mbox: async () => bytesOf(mbox),
  'Maildir in a ZIP': maildir,
};

describe.each(Object.entries(files))('%s', (_, make) => {
  test(`${COPIES} damaged copies end with items or a known error code`, async () => {
    const whole = await make();
    expect(await read(whole)).not.toContain('broken');
    for (let seed = 1; seed <= COPIES; seed++) {
      const found = await read(damaged(whole, seed));
      if (typeof found === 'string')
        expect(found).toMatch(/^(?:not_this_format|damaged|too_short|too_large|unsupported)$/);
      else for (const item of found) expect(['mail', 'broken', 'contact', 'removed']).toContain(item.kind);
    }
  }, 60_000);

  test('a copy truncated anywhere yields items or an error code', async () => {
    const whole = await make();
    for (let part = 0; part < 40; part++) {
      const found = await read(whole.slice(0, Math.floor((whole.length * part) / 40)));
      expect(typeof found === 'string' || found.length <= 25).toBe(true);
    }
  });

  test('random bytes after a valid start end without hanging', async () => {
    const whole = await make();
    const random = seeded(7);
    for (const keptBytes of [0, 4, 30, 100]) {
      const scrambled = whole.map((byte, at) => (at < keptBytes ? byte : Math.floor(random() * 256)));
      const found = await read(scrambled);
      if (typeof found !== 'string') expect(found.length).toBeLessThanOrEqual(25);
    }
  });
});

test('a message larger than the memory limit is reported and not read', async () => {
  const source = { size: MESSAGE_MAX_BYTES + 1, read: () => Promise.reject(new Error('it was read')) };
  const items: ImportItem[] = [];
  for await (const item of createEmlReader(source, 'large.eml').items()) items.push(item);
  expect(items).toMatchObject([{ kind: 'broken', reason: 'too_large', name: 'large.eml' }]);
});

test('archives inside an archive are not opened', async () => {
  const inner = await archiveOf({ 'zeros.eml': new Uint8Array(1_000_000) });
  const items = await read(await archiveOf({ 'next.zip': inner, 'again.eml': inner, 'fine.eml': mail(1) }));
  expect(items).toHaveLength(3);
  const kinds = (items as ImportItem[]).map(item => (item.kind === 'broken' ? item.reason : item.kind));
  expect(kinds.toSorted()).toEqual(['damaged', 'mail', 'unsupported']);
});

test('overlapping files in an archive are refused', async () => {
  const bytes = await archiveOf({ 'a.eml': mail(1), 'b.eml': mail(1) });
  const view = new DataView(bytes.buffer);
  const entries: number[] = [];
  for (let at = 0; at < bytes.length - 4; at++) if (view.getUint32(at, true) === 0x02014b50) entries.push(at);
  expect(entries).toHaveLength(2);
  // The second directory entry points at the first entry's file.
  view.setUint32((entries[1] as number) + 42, 0, true);
  const items = await read(bytes);
  expect(items).not.toBe('not_this_format');
  const good = typeof items === 'string' ? [] : items.filter(({ kind }) => kind === 'mail');
  expect(good.length).toBeLessThan(2);
});

test('an mbox of only separators, or of empty messages, ends in time', async () => {
  const found = await read(bytesOf(separator.repeat(20_000)));
  expect(typeof found === 'string' || found.length <= 20_000).toBe(true);
  const empty = await read(bytesOf(`${separator}A: b\r\n\r\n`.repeat(20_000)));
  expect(empty).toHaveLength(20_000);
}, 60_000);

test('files that together unpack to more than the limit are reported', async () => {
  const zeros = new Uint8Array(15 * 1024 * 1024);
  const bombs = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`${at}.eml`, zeros]));
  const items = await read(await archiveOf({ 'first.eml': mail(1), ...bombs }));
  const reasons = (items as ImportItem[]).map(item => (item.kind === 'broken' ? item.reason : item.kind));
  expect(reasons).toHaveLength(15);
  expect(reasons[0]).toBe('mail');
  expect(reasons.slice(1, 5)).toEqual(Array.from({ length: 4 }, () => 'damaged'));
  expect(reasons.slice(-2)).toEqual(['too_large', 'too_large']);
}, 30_000);

test('vCard files that unpack too large are reported, and unclosed cards are ignored', async () => {
  const items = await read(
    await archiveOf({
      'bomb.vcf': new Uint8Array(40 * 1024 * 1024),
      'open.vcf': 'BEGIN:VCARD\r\n'.repeat(100_000),
      'fine.eml': mail(1),
    }),
  );
  expect(items).toMatchObject([{ kind: 'broken', reason: 'too_large', name: 'bomb.vcf' }, { kind: 'mail' }]);
}, 30_000);

test('deeply nested folders are cut to the innermost ones', async () => {
  const items = await read(await archiveOf({ [`${'d/'.repeat(20_000)}a.eml`]: mail(1), 'b.eml': mail(2) }));
  expect(items).toHaveLength(2);
  for (const item of items as ImportItem[]) expect(item.folder.length).toBeLessThanOrEqual(ARCHIVE_DEPTH_MAX);
}, 120_000);

test('an archive whose directory exceeds memory is refused before it is read', async () => {
  const size = 4_000_000_000;
  const listBytes = 3_000_000_000;
  // The end of central directory record (APPNOTE 4.3.16).
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, 10_000, true);
  end.setUint16(10, 10_000, true);
  end.setUint32(12, listBytes, true);
  end.setUint32(16, size - 22 - listBytes, true);
  const read = async (offset: number, length: number) => {
    if (length > 1 << 28) throw new Error('it was read');
    const bytes = new Uint8Array(Math.min(length, size - offset));
    const from = size - 22 - offset;
    if (from < bytes.length && from >= 0)
      bytes.set(new Uint8Array(end.buffer).subarray(0, bytes.length - from), from);
    if (offset === size - 22 - listBytes) bytes.set([0x50, 0x4b, 0x01, 0x02]);
    return bytes;
  };
  await expect(createZipReader({ size, read })).rejects.toMatchObject({ code: 'too_large' });
});

test.each([
  ['fields without end', `${separator}From: a@x.test\r\n${'A: b\r\n'.repeat(300_000)}`],
  ['one line without end', `${separator}From: a@x.test\r\n\r\n${'x'.repeat(3_000_000)}`],
  ['lines like separators', `${separator}From: a@x.test\r\n\r\n${'From x\n'.repeat(300_000)}`],
  ['quotes of quotes', `${separator}From: a@x.test\r\n\r\n${'>'.repeat(3_000_000)}From x\n`],
])('an mbox of %s is one message', async (_, text) => {
  expect(await read(bytesOf(text))).toMatchObject([{ kind: 'mail' }]);
});

test('Content-Length values across many messages scan each message at most once', async () => {
  const one = `${separator}Content-Length: ${MESSAGE_MAX_BYTES}\r\nFrom: a@x.test\r\n\r\nWords\r\n\r\n`;
  expect(await read(bytesOf(one.repeat(20_000)))).toHaveLength(20_000);
});

test.each([
  '../../etc/a.eml',
  '/abs/a.eml',
  'a/../b/c.eml',
  'C:\\x\\d.eml',
  '__proto__/constructor/e.eml',
  'x/\0y.eml',
])(
  'an archive with a file named %j yields its other messages, and no folder leads outside it',
  async name => {
    const items = await read(await archiveOf({ [name]: mail(1), 'ok/2.eml': mail(2) }));
    const folders = (items as ImportItem[]).map(({ folder }) => folder);
    expect(folders.map(folder => folder.at(-1))).toContain('ok');
    expect(folders.flat()).not.toContain('..');
  },
);

describe('input with linear cost', () => {
  const LIMIT_MS = 5_000;
  const latin = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0));
  const first = 'From ann@a.example Mon Jan  1 10:10:10 2020\nTo: x\n\n';
  const pile = '\u0300'.repeat(150_000) + '\u0316'.repeat(150_000);

  test.each<[string, () => unknown]>([
    [
      'lines that begin as separators do',
      () => read(bytesOf(`${first}${`\nFrom ${'@'.repeat(240)}${' '.repeat(250)}x\nTo: a\n`.repeat(2_000)}`)),
    ],
    ['keywords of one sign', () => keywordTags('&'.repeat(300_000))],
    ['a folder called by marks', () => findNamedPlace(pile)],
    ['labels of marks', () => readGmailLabels(pile)],
    [
      'rich text of a code page that nobody knows',
      () => readRtf(latin(`{\\rtf1\\ansicpg99999 ${"\\'e4\\'f6\\tab ".repeat(80_000)}}`)),
    ],
  ])('%s', async (_, work) => {
    const startedAt = performance.now();
    await work();
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
  });

  test('overlapping property values are ignored', () => {
    // Each entry claims the whole file.
    const count = 2_000;
    const bytes = new Uint8Array(4 + 4 * count + 100_000);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, count, true);
    for (let index = 0; index < count; index++)
      view.setUint32(4 + 4 * index, index % 2 === 0 ? 4 + 4 * count : bytes.length, true);
    const sizes = splitMany(bytes).map(({ length }) => length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bytes.length);
    expect(sizes).toContain(100_000);
  });

  test('a compound file entry with an oversized name length is damaged', async () => {
    const file = writeMsg({ properties: [{ id: 0x37, type: 'text', value: 's' }] });
    expect((await openMsg(file)).subject).toBe('s');
    const view = new DataView(file.buffer);
    // Start sector of the root entry, in the first directory sector.
    const at = (view.getInt32(0x30, true) + 1) * 512 + 0x40;
    expect(view.getUint16(at, true)).toBeLessThanOrEqual(64);
    view.setUint16(at, 0x7ffe, true);
    await expect(openMsg(file)).rejects.toMatchObject({ code: 'damaged' });
  });
});

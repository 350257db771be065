// Files that are not what they claim to be: each quickly yields an ImportError or broken items.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type TestFolder, type TestMail, writePst } from '@keyfold/testing/pst-file';
import { numbers } from '@keyfold/testing/pst-heap';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../test-support/mutate.ts';
import { corpusFiles } from '../../test-support/pst-corpus.ts';
import { type ByteSource, sourceOfBytes } from '../byte-source.ts';
import { TAGS } from '../mapi/tags.ts';
import { BlockStore, newAllowance } from './block-store.ts';
import { readPstHeader } from './header.ts';
import { readNodeTable } from './node-table.ts';
import { PageCache } from './page-cache.ts';
import { openPst } from './reader.ts';

const plainMail = (subject: string): TestMail => ({
  properties: [
    { id: TAGS.messageClass, type: 'text', value: 'IPM.Note' },
    { id: TAGS.subject, type: 'text', value: subject },
    { id: TAGS.body, type: 'text', value: `Text of ${subject}. `.repeat(300) },
  ],
  recipients: [[{ id: TAGS.smtpAddress, type: 'text', value: 'ada@example.org' }]],
  files: [
    {
      properties: [
        { id: TAGS.attachMethod, type: 'int', value: 1 },
        { id: TAGS.attachLongName, type: 'text', value: 'file.bin' },
        { id: TAGS.attachData, type: 'binary', value: new Uint8Array(20_000).fill(7) },
      ],
    },
  ],
});

const folders: TestFolder[] = [
  { name: 'Inbox', mails: Array.from({ length: 40 }, (_, index) => plainMail(`mail ${index}`)) },
  { name: 'Other', mails: [plainMail('last')], folders: [{ name: 'Deep', mails: [plainMail('deep')] }] },
];

async function read(file: Uint8Array<ArrayBuffer>) {
  const reader = await openPst(sourceOfBytes(file));
  return Array.fromAsync(reader.items());
}

/** Returns the last offset of a byte sequence: the trees are written last. */
function lastIndexOf(file: Uint8Array, wanted: Uint8Array): number {
  for (let at = file.length - wanted.length; at >= 0; at--) {
    if (wanted.every((byte, index) => file[at + index] === byte)) return at;
  }
  return -1;
}

describe('a truncated file', () => {
  const whole = writePst({ folders });

  test.each([0, 3, 4, 100, 563, 600, 5_000, whole.length - 1])('after %i bytes is refused', async length => {
    await expect(read(whole.slice(0, length))).rejects.toMatchObject({
      code: length < 4 ? 'not_this_format' : 'too_short',
    });
  });

  test('that lost only unused data at its end yields every item', async () => {
    const cut = whole.slice();
    // It claims to be longer than it is.
    const view = new DataView(cut.buffer);
    view.setUint32(0xb8, cut.length + 1_000_000, true);
    const kinds = (await read(cut)).map(({ kind }) => kind);
    expect(kinds).toEqual((await read(whole)).map(({ kind }) => kind));
    expect(kinds.length).toBeGreaterThan(40);
  });

  test('with lost message blocks reports those messages as broken', async () => {
    const cut = whole.slice();
    // The message blocks are gone and the trees remain, as if a disk had lost its first half.
    cut.fill(0, 1_024, Math.floor(cut.length / 2));
    const items = await read(cut);
    const broken = items.filter(({ kind }) => kind === 'broken');
    expect(broken.length).toBeGreaterThan(10);
    expect(items.filter(({ kind }) => kind === 'mail').length).toBeGreaterThan(5);
  });
});

test('random bytes are refused, with or without a valid start', async () => {
  const codes = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const random = seeded(seed);
    const file = Uint8Array.from({ length: 70_000 }, () => Math.floor(random() * 256));
    if (seed % 3 > 0) {
      file.set([0x21, 0x42, 0x44, 0x4e]);
      file.set(numbers([2, seed % 3 === 1 ? 23 : 14]), 10);
      file[seed % 3 === 1 ? 513 : 461] = 1;
      file.set(numbers([4, 70_000], [4, 0]), seed % 3 === 1 ? 0xb8 : 0xa8);
      file.set(numbers([4, 1024 * (seed % 60)], [4, 0]), seed % 3 === 1 ? 0xe0 : 0xbc);
    }
    await expect(
      read(file).catch((error: { code: string }) => {
        codes.add(error.code);
        throw error;
      }),
    ).rejects.toMatchObject({ name: 'ImportError' });
  }
  expect([...codes].sort()).toEqual(['damaged', 'not_this_format']);
});

test('a tree that reaches a page twice is refused as circular', async () => {
  const file = writePst({ folders });
  const view = new DataView(file.buffer);
  const root = view.getUint32(0xe0, true);
  expect(view.getUint8(root + 491)).toBe(1);
  // The second branch becomes the first.
  file.copyWithin(root + 24, root, root + 24);
  await expect(read(file)).rejects.toMatchObject({ code: 'looping' });
  // The root points to itself.
  view.setUint32(root + 16, root, true);
  await expect(read(file)).rejects.toMatchObject({ name: 'ImportError' });
});

test('messages in circular folders are found in a folder named Lost and found', async () => {
  const file = writePst({ folders: [{ name: 'A', folders: [{ name: 'B', mails: [plainMail('kept')] }] }] });
  const pages = new PageCache(sourceOfBytes(file));
  const header = await readPstHeader(pages);
  const nodes = await readNodeTable(pages, header.shape, header.nodeTree);
  const [a] = nodes.subfolders(0x8022) as [number];
  const [b] = nodes.subfolders(a) as [number];
  const at = lastIndexOf(file, numbers([8, a], [8, nodes.findNode(a)?.dataBlock ?? 0]));
  new DataView(file.buffer).setUint32(at + 24, b, true);
  const items = await read(file);
  expect(items.map(({ kind, folder }) => [kind, folder])).toEqual([['mail', ['Lost and found']]]);
});

test('a file that yields far more data than its size is stopped', async () => {
  const file = writePst({ folders });
  const pages = new PageCache(sourceOfBytes(file));
  const header = await readPstHeader(pages);
  const nodes = await readNodeTable(pages, header.shape, header.nodeTree);
  const blocks = new BlockStore(pages, header);
  const [folder] = nodes.subfolders(0x8022) as [number];
  const [place] = [...nodes.messages(folder)];
  let given = 0;
  await expect(async () => {
    while (given < 100 * file.length + 200_000_000) {
      for (const piece of await blocks.readPieces(place?.dataBlock ?? 0, newAllowance()))
        given += piece.length;
    }
  }).rejects.toMatchObject({ code: 'too_large' });
  expect(blocks.isExhausted).toBe(true);
});

test('an item above the size limit is refused alone', async () => {
  const file = writePst({ folders: [{ name: 'A', mails: [plainMail('big')] }] });
  const pages = new PageCache(sourceOfBytes(file));
  const header = await readPstHeader(pages);
  const nodes = await readNodeTable(pages, header.shape, header.nodeTree);
  const blocks = new BlockStore(pages, header);
  const [folder] = nodes.subfolders(0x8022) as [number];
  const [place] = [...nodes.messages(folder)];
  await expect(blocks.readPieces(place?.dataBlock ?? 0, { bytesLeft: 10 })).rejects.toMatchObject({
    code: 'too_large',
  });
  expect(blocks.isExhausted).toBe(false);
});

test('a failing device is not reported as a damaged file', async () => {
  const whole = sourceOfBytes(writePst({ folders }));
  let reads = 0;
  const failing: ByteSource = {
    size: whole.size,
    read: (offset, length) => {
      if (++reads > 3) throw new Error('the disk is gone');
      return whole.read(offset, length);
    },
  };
  await expect(async () => {
    const reader = await openPst(failing);
    for await (const item of reader.items()) expect(item.kind).toBe('mail');
  }).rejects.toThrow('the disk is gone');
});

test('only a bounded number of pages is in memory', async () => {
  const whole = sourceOfBytes(writePst({ folders }));
  let most = 0;
  const counting: ByteSource = {
    size: whole.size,
    read: (offset, length) => {
      most = Math.max(most, length);
      return whole.read(offset, length);
    },
  };
  const reader = await openPst(counting);
  await Array.fromAsync(reader.items());
  expect(most).toBe(262_144);
});

describe('damaged copies, read in a separate process', () => {
  const COUNT = 300;
  const CPU_MAX_MS = 60_000;
  const MEMORY_MAX_BYTES = 512 * 1024 * 1024;

  test(`${COUNT} of them end without a crash, within a minute of CPU time and 512 MB`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'pst-mutants-'));
    const own = [true, false].map(isUnicode => {
      const path = join(folder, `own-${isUnicode}.pst`);
      writeFileSync(path, writePst({ isUnicode, folders }));
      return path;
    });
    const script = join(import.meta.dirname, '../../test-support/read-mutants.ts');
    const output = execFileSync(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--max-old-space-size=400',
        script,
        String(COUNT),
        ...own,
        ...corpusFiles(),
      ],
      { encoding: 'utf8', timeout: 4 * CPU_MAX_MS },
    );
    const { outcomes, cpuMs, peakBytes, slowestMs } = JSON.parse(output) as {
      outcomes: Record<string, number>;
      cpuMs: number;
      peakBytes: number;
      slowestMs: number;
    };
    const whole = Math.round;
    process.stdout.write(
      `pst mutants: ${COUNT}, ${whole(cpuMs)} ms CPU, ${whole(peakBytes / 1024 / 1024)} MB, slowest ${whole(slowestMs)} ms\n`,
    );
    expect(cpuMs).toBeLessThan(CPU_MAX_MS);
    expect(peakBytes).toBeLessThan(MEMORY_MAX_BYTES);
    // The test is only meaningful if some files are read in part and some are rejected.
    expect(outcomes.mail).toBeGreaterThan(0);
    expect(outcomes.broken).toBeGreaterThan(0);
    expect(outcomes.too_short).toBeGreaterThan(0);
  }, 300_000);
});

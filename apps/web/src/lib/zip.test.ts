import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 as nodeCrc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { archiveNames, crc32, zipOf } from './zip.ts';

test('the checksum equals zlib’s, in one piece or several', () => {
  const bytes = crypto.getRandomValues(new Uint8Array(10_000));
  expect(crc32(bytes)).toBe(nodeCrc32(bytes));
  expect(crc32(bytes.subarray(4_000), crc32(bytes.subarray(0, 4_000)))).toBe(nodeCrc32(bytes));
  expect(crc32(new Uint8Array(0))).toBe(0);
  for (let size = 1; size < 40; size += 1) {
    const some = bytes.subarray(3, 3 + size);
    expect(crc32(some, 77)).toBe(nodeCrc32(some, 77));
  }
});

test('names are plain files in one folder and unique on any file system', () => {
  expect(
    archiveNames([
      'a.txt',
      'A.TXT',
      'a.txt',
      '../../etc/passwd',
      'C:\\x',
      '',
      'NUL.txt',
      'ü\u202e.pdf',
      '..',
    ]),
  ).toEqual([
    'a.txt',
    'A (2).TXT',
    'a (3).txt',
    '_.._etc_passwd',
    'C__x',
    'file',
    '_NUL.txt',
    'ü.pdf',
    'file (2)',
  ]);
});

test('another program unpacks the archive', async () => {
  const big = crypto.getRandomValues(new Uint8Array(60_000));
  const zip = await zipOf(
    [
      { name: 'größe 😀.bin', content: new Blob([big]) },
      { name: 'empty', content: new Blob([]) },
      { name: 'a/b.txt', content: new Blob(['hello']) },
    ],
    new Date(2026, 2, 1, 12, 30, 2),
  );
  const folder = mkdtempSync(path.join(tmpdir(), 'zip-'));
  try {
    const file = path.join(folder, 'x.zip');
    writeFileSync(file, Buffer.from(await zip.arrayBuffer()));
    const script =
      'import sys,zipfile,zlib,json\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n' +
      'print(json.dumps([[i.filename,i.file_size,i.CRC,list(i.date_time)] for i in z.infolist()]))';
    const found = JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' })) as unknown;
    const when = [2026, 3, 1, 12, 30, 2];
    expect(found).toEqual([
      ['größe 😀.bin', 60_000, nodeCrc32(big), when],
      ['empty', 0, 0, when],
      ['a_b.txt', 5, nodeCrc32('hello'), when],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

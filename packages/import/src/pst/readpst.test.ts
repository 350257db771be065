// Reads the tests' own PST files with readpst (Debian's pst-utils), if installed: proves that other
// programs also accept the test files as PST.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writePst } from '@keyfold/testing/pst-file';
import { describe, expect, test } from 'vitest';

const isThere = spawnSync('readpst', ['-V']).error === undefined;
const text = (id: number, value: string) => ({ id, type: 'text' as const, value });
const content = Uint8Array.from({ length: 30_000 }, (_, at) => (at * 31) % 251);
const mails = Array.from({ length: 30 }, (_, number) => ({
  properties: [
    text(0x001a, 'IPM.Note'),
    text(0x0037, `Letter ${number}`),
    text(0x1000, `Words of ${number}`),
    { id: 0x0e06, type: 'time' as const, value: new Date('2019-03-05T10:20:30Z') },
  ],
  files:
    number % 10 === 0
      ? [{ properties: [text(0x3707, 'a.bin'), { id: 0x3701, type: 'binary' as const, value: content }] }]
      : [],
}));

describe.skipIf(!isThere)('readpst (needs pst-utils)', () => {
  for (const isUnicode of [true, false])
    test(`finds messages and attachments of the ${isUnicode ? 'Unicode' : 'ANSI'} form`, () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'pst-'));
      try {
        const file = path.join(folder, 'a.pst');
        writeFileSync(
          file,
          writePst({ isUnicode, folders: [{ name: 'Inbox', folders: [{ name: 'Work', mails }] }] }),
        );
        execFileSync('readpst', ['-q', '-e', '-D', '-o', folder, file]);
        const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(one =>
          one.name.endsWith('.eml'),
        );
        expect(new Set(found.map(({ parentPath }) => path.basename(parentPath)))).toEqual(new Set(['Work']));
        const texts = found.map(({ parentPath, name }) =>
          readFileSync(path.join(parentPath, name), 'latin1'),
        );
        const subjects = texts.map(one => /^Subject: (.*)$/m.exec(one)?.[1]);
        expect(subjects.toSorted()).toEqual(mails.map((_, number) => `Letter ${number}`).toSorted());
        const base64 = Buffer.from(content).toString('base64');
        expect(texts.filter(one => one.replaceAll(/\s/g, '').includes(base64))).toHaveLength(3);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
});

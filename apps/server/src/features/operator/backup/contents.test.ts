import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTENTS_FILE, readContents, readEntry, withPinned } from './contents.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'keyfold-contents-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function read(name: string): Promise<string[]> {
  writeFileSync(path.join(dir, CONTENTS_FILE), `${'0'.repeat(64)} 1 ${name}\n`);
  const names: string[] = [];
  for await (const entry of readContents(dir)) names.push(entry.path);
  return names;
}

test.each(['database/mails.copy', 'blobs/ab/cd/..id', 'postgres/base/1/2'])('%s is accepted', async name => {
  expect(await read(name)).toEqual([name]);
});

test.each([
  '../keys/master.key',
  'postgres/../keys/master.key',
  'postgres/../../keys/master.key',
  '/etc/passwd',
  './database/mails.copy',
  'database//mails.copy',
  '..',
  '.',
])('%s points outside the backup, so the list is refused', async name => {
  await expect(read(name)).rejects.toThrow('contents.txt was changed');
});

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

test('changes after a backup was checked are detected when it is used', async () => {
  const own = path.join(dir, 'own');
  const list = `${sha256('rows')} 4 mails.copy\n`;
  const write = (name: string, content: string) => writeFileSync(path.join(dir, name), content);
  write(CONTENTS_FILE, list);
  write('mails.copy', 'rows');
  await withPinned(dir, sha256(list), own, async ({ entries }) => {
    write(CONTENTS_FILE, `${sha256('others')} 6 mails.copy\n`);
    for await (const entry of entries()) {
      expect(entry).toEqual({ path: 'mails.copy', sizeBytes: 4, sha256: sha256('rows') });
      expect(await text(readEntry(dir, entry))).toBe('rows');
      write('mails.copy', 'others');
      await expect(text(readEntry(dir, entry))).rejects.toThrow('changed while it was read: mails.copy');
    }
  });
  const used = withPinned(dir, sha256(list), own, async () => expect.unreachable());
  await expect(used).rejects.toThrow('changed while it was read: contents.txt');
  expect(readdirSync(own)).toEqual([]);
});

test('a pipe in place of a file is refused without blocking', async () => {
  const content = sha256('rows');
  execFileSync('mkfifo', [path.join(dir, 'pipe.copy')]);
  await expect(text(readEntry(dir, { path: 'pipe.copy', sizeBytes: 4, sha256: content }))).rejects.toThrow(
    'pipe.copy is not a regular file',
  );
});

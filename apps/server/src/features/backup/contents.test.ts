import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTENTS_FILE, readContents } from './contents.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'keyfold-contents-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const read = async (name: string): Promise<string[]> => {
  writeFileSync(path.join(dir, CONTENTS_FILE), `${'0'.repeat(64)} 1 ${name}\n`);
  const names: string[] = [];
  for await (const entry of readContents(dir)) names.push(entry.path);
  return names;
};

test.each(['database/mails.copy', 'blobs/ab/cd/..id', 'postgres/base/1/2'])('%s is read', async name => {
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
])('%s leads elsewhere, and no file of the list is read', async name => {
  await expect(read(name)).rejects.toThrow('contents.txt is not what was written');
});

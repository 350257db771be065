import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findLeaks } from './disk.ts';

const word = 'canary-Zwölf-4711';
let dir = '';

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'kf-disk-'));
});
afterAll(() => rm(dir, { recursive: true }));

const around = (text: string | Buffer) =>
  Buffer.concat([Buffer.from('before '), Buffer.from(text), Buffer.from(' after')]);

test.each([
  ['as it is', around(word)],
  ['UTF-16, little end first', around(Buffer.from(word, 'utf16le'))],
  ['UTF-16, big end first', around(Buffer.from(word, 'utf16le').swap16())],
  ['quoted-printable', around('canary-Zw=C3=B6lf-4711')],
  ['base64, first alignment', Buffer.from(Buffer.from(`abc${word}xyz`).toString('base64'))],
  ['base64, second alignment', Buffer.from(Buffer.from(`abcd${word}xyz`).toString('base64'))],
  ['base64, third alignment', Buffer.from(Buffer.from(`abcde${word}xyz`).toString('base64'))],
  ['a URL', around(encodeURIComponent(word))],
])('finds a word in this encoding: %s', async (_, content) => {
  await writeFile(path.join(dir, 'file'), content);
  expect(await findLeaks(dir, [word])).toEqual([{ file: 'file', word }]);
});

test('does not report other text', async () => {
  await writeFile(path.join(dir, 'file'), 'canary-Zwölf-4712');
  expect(await findLeaks(dir, [word], { log: 'nothing' })).toEqual([]);
});

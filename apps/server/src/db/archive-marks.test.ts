import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMasterKey } from '../base/master-key.ts';
import { giveFromArchive, keepInArchive } from './archive-files.ts';
import { type ArchiveMarks, pack, unpack } from './archive-marks.ts';

const marks: ArchiveMarks = { key: createMasterKey(Buffer.alloc(32, 1)), database: '77', mayLack: false };
const NAME = '000000010000000000000003';
const content = Buffer.concat([Buffer.from('changes'), Buffer.alloc(100_000)]);
const packed = pack(marks, NAME, content);

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-marks-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a packed file unpacks unchanged and is still valid gzip', () => {
  expect(unpack(marks, NAME, packed)).toEqual(content);
  expect(gunzipSync(packed)).toEqual(content);
  expect(packed.length).toBeLessThan(400);
});

test.each([
  ['that was changed', marks, NAME, Buffer.concat([gzipSync('others'), packed.subarray(-98)]), 'was changed'],
  ['with a byte more', marks, NAME, Buffer.concat([gzipSync('x'), packed]), 'was changed'],
  ['of another place', marks, '000000010000000000000004', packed, 'belongs to another file'],
  ['of another line', marks, '000000020000000000000003', packed, 'belongs to another file'],
  ['of another database', { ...marks, database: '78' }, NAME, packed, 'or database'],
  [
    'by another key',
    { ...marks, key: createMasterKey(Buffer.alloc(32, 2)) },
    NAME,
    packed,
    'without the server',
  ],
  ['without a mark', marks, NAME, gzipSync(content), 'has no MAC'],
  ['with half a mark', marks, NAME, packed.subarray(0, -1), 'damaged'],
  ['that is no archive', marks, NAME, Buffer.from('nothing'), 'damaged'],
  ['that would fill the machine', marks, NAME, gzipSync(Buffer.alloc(80 * 1024 * 1024)), 'damaged'],
])('a file %s is refused', (_, by, name, bytes, said) => {
  expect(() => unpack(by, name, bytes)).toThrow(said);
});

test('a missing mark is accepted only in lenient mode, a wrong one never', () => {
  const lenient = { ...marks, mayLack: true };
  expect(unpack(lenient, NAME, gzipSync(content))).toEqual(content);
  expect(() => unpack(lenient, '000000010000000000000004', packed)).toThrow('belongs to another file');
  expect(unpack({ ...marks, key: null }, '000000010000000000000004', packed)).toEqual(content);
});

test('an archive keeps a file once, adds missing marks, and refuses to restore across a gap', () => {
  const folder = path.join(root, 'archive');
  mkdirSync(folder);
  const [source, target] = [path.join(root, 'source'), path.join(root, 'target')];
  writeFileSync(source, content);
  keepInArchive(marks, folder, NAME, source);
  keepInArchive(marks, folder, NAME, source);
  expect(giveFromArchive(marks, folder, NAME, target)).toBe(true);
  expect(readFileSync(target)).toEqual(content);
  writeFileSync(path.join(folder, `${NAME}.gz`), gzipSync(content));
  keepInArchive(marks, folder, NAME, source);
  expect(readFileSync(path.join(folder, `${NAME}.gz`))).toEqual(packed);
  writeFileSync(source, 'others');
  expect(() => keepInArchive(marks, folder, NAME, source)).toThrow('has a different');
  const give = (name: string) => giveFromArchive(marks, folder, name, target);
  expect(give('000000010000000000000004')).toBe(false);
  expect(give('000000020000000000000002')).toBe(false);
  expect(give('00000002.history')).toBe(false);
  expect(() => give('000000010000000000000002')).toThrow('lacks 000000010000000000000002');
});

test('a symlink at the path of a file about to be written is not followed', () => {
  const folder = path.join(root, 'linked');
  mkdirSync(folder);
  const [source, secret] = [path.join(root, 'changes'), path.join(root, 'secret')];
  writeFileSync(source, content);
  writeFileSync(secret, 'key');
  symlinkSync(secret, path.join(folder, `${NAME}.gz.part`));
  keepInArchive(marks, folder, NAME, source);
  expect(readFileSync(secret, 'utf8')).toBe('key');
  expect(readFileSync(path.join(folder, `${NAME}.gz`))).toEqual(packed);
});

test('a pipe, a link or a folder in place of a file is refused without blocking', () => {
  const folder = path.join(root, 'others');
  mkdirSync(folder);
  const [source, target] = [path.join(root, 'changes'), path.join(root, 'given')];
  writeFileSync(source, content);
  const [pipe, link, inner] = ['0000000000000001', '0000000000000002', '0000000000000003'].map(
    name => `00000001${name}`,
  ) as [string, string, string];
  const fileOf = (name: string): string => path.join(folder, `${name}.gz`);
  spawnSync('mkfifo', [fileOf(pipe)]);
  writeFileSync(path.join(root, 'elsewhere'), packed);
  symlinkSync(path.join(root, 'elsewhere'), fileOf(link));
  mkdirSync(fileOf(inner));
  const said = (name: string): string => `${name}.gz in the archive is not a regular file`;
  // Run as PostgreSQL runs it: a read that waits for a writer of the pipe would never return.
  const program = path.join(import.meta.dirname, 'archive-process.ts');
  for (const [task, file, code] of [
    ['keep', source, 1],
    ['give', target, 126],
  ] as const) {
    const words = [program, task, folder, '77', pipe, file, root, 'none'];
    const ended = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
      encoding: 'utf8',
      timeout: 10_000,
    });
    expect(ended).toMatchObject({ status: code, stderr: `keyfold archive: ${said(pipe)}\n` });
  }
  for (const name of [link, inner]) {
    expect(() => giveFromArchive(marks, folder, name, target)).toThrow(said(name));
    expect(() => keepInArchive(marks, folder, name, source)).toThrow(said(name));
  }
  expect(existsSync(target)).toBe(false);
});

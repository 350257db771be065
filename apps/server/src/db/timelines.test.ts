import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMasterKey } from '../base/master-key.ts';
import { archiveHistories, findTimeline } from './timelines.ts';

const marks = { key: createMasterKey(Buffer.alloc(32, 1)), database: '77', mayLack: false };

let root: string;
let archive: string;
beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'keyfold-timelines-'));
  archive = path.join(root, 'archive');
  mkdirSync(archive);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function begin(number: string, at: string): void {
  const dataDir = path.join(root, number);
  mkdirSync(path.join(dataDir, 'pg_wal'), { recursive: true });
  writeFileSync(path.join(dataDir, 'pg_wal', `${number}.history`), '1\t0/3000000\tbefore 2026\n');
  writeFileSync(
    path.join(dataDir, 'pg_wal', `${number.slice(0, 8)}000000000000000${number.at(-1)}`),
    'no history',
  );
  archiveHistories(dataDir, archive, new Date(at), marks);
}
const at = (time: string, by = marks) => findTimeline(archive, new Date(time), by);

test('a point in time is mapped to the timeline that was current then', () => {
  expect(at('2026-11-23T12:00:00Z')).toBe('current');
  expect(findTimeline(archive, null, marks)).toBe('latest');
  begin('00000002', '2026-11-23T10:00:00Z');
  begin('0000000A', '2026-11-23T12:00:00Z');
  expect(at('2026-11-23T09:59:59Z')).toBe('current');
  expect(at('2026-11-23T10:00:00Z')).toBe('2');
  expect(at('2026-11-23T12:00:01Z')).toBe('10');
});

test('an archived timeline history is never overwritten', () => {
  begin('00000002', '2026-12-01T00:00:00Z');
  expect(at('2026-11-23T10:00:00Z')).toBe('2');
  const kept = gunzipSync(readFileSync(path.join(archive, '00000002.history.gz'))).toString();
  expect(kept).toBe('1\t0/3000000\tbefore 2026\n');
  expect(readdirSync(archive).sort()).toEqual([
    '00000002.begun',
    '00000002.history.gz',
    '0000000A.begun',
    '0000000A.history.gz',
  ]);
});

test('a tampered start time of a timeline is refused', () => {
  const file = path.join(archive, '00000002.begun');
  const own = readFileSync(file, 'utf8');
  const [, mark] = own.split('\n');
  writeFileSync(file, `2026-11-23T08:00:00.000Z\n${mark}\n`);
  expect(() => at('2026-11-23T09:00:00Z')).toThrow('was changed');
  writeFileSync(file, '2026-11-23T08:00:00.000Z\n');
  expect(() => at('2026-11-23T09:00:00Z')).toThrow('has no MAC');
  expect(at('2026-11-23T09:00:00Z', { ...marks, mayLack: true })).toBe('2');
  writeFileSync(file, own);
});

test('a symlink in place of a timeline’s start file is refused', () => {
  const file = path.join(archive, '00000002.begun');
  const aside = path.join(root, 'aside');
  renameSync(file, aside);
  symlinkSync(aside, file);
  expect(() => at('2026-11-23T10:00:00Z')).toThrow('00000002.begun in the archive is not a regular file');
  rmSync(file);
  renameSync(aside, file);
  expect(at('2026-11-23T10:00:00Z')).toBe('2');
});

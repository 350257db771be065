import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keepSpoolsTidy, removeLeftoverSpools } from './spool.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-spool-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('files left by a crash are removed at the next start, and other files are kept', async () => {
  await removeLeftoverSpools(dataDir);
  const dir = path.join(dataDir, 'tmp');
  mkdirSync(dir);
  for (const name of ['upload-old', 'upload-new', 'other-old']) writeFileSync(path.join(dir, name), 'x');
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const name of ['upload-old', 'other-old']) utimesSync(path.join(dir, name), longAgo, longAgo);
  await removeLeftoverSpools(dataDir);
  expect(readdirSync(dir).sort()).toEqual(['other-old', 'upload-new']);
});

test('files left later are removed by a running server', async () => {
  const stop = await keepSpoolsTidy(dataDir, 20);
  const left = path.join(dataDir, 'tmp', 'upload-later');
  writeFileSync(left, 'x');
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  utimesSync(left, longAgo, longAgo);
  await expect.poll(() => readdirSync(path.join(dataDir, 'tmp')).sort()).toEqual(['other-old', 'upload-new']);
  stop();
});

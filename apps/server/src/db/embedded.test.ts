import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { requireOwnFolder, socketDirOf, withoutAllocator } from './embedded.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'kf-socket-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the socket is in the data directory, or in the temporary directory when the path is too long', () => {
  expect(socketDirOf('/srv/keyfold/postgres')).toBe('/srv/keyfold/postgres');
  expect(path.dirname(socketDirOf(`/srv/${'long/'.repeat(30)}postgres`))).toBe(os.tmpdir());
});

test('the socket directory must belong to the current account only', () => {
  const own = path.join(root, 'own');
  mkdirSync(own, { mode: 0o700 });
  expect(() => requireOwnFolder(own)).not.toThrow();
  const link = path.join(root, 'link');
  symlinkSync(own, link);
  const file = path.join(root, 'file');
  writeFileSync(file, '', { mode: 0o600 });
  for (const other of [link, file])
    expect(() => requireOwnFolder(other), other).toThrow('belongs to another account');
  chmodSync(own, 0o770);
  expect(() => requireOwnFolder(own)).toThrow('belongs to another account');
});

test.runIf(process.platform === 'linux')(
  'PostgreSQL does not inherit the MALLOC settings of this process',
  () => {
    const [command = '', ...args] = [...withoutAllocator(), 'env'];
    const env = {
      PATH: '/usr/bin:/bin',
      KEPT: 'yes',
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '131072',
    };
    const { stdout } = spawnSync(command, args, { env, encoding: 'utf8' });
    expect(stdout).toContain('KEPT=yes');
    expect(stdout).not.toContain('MALLOC');
  },
);

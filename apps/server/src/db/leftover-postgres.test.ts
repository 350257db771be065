// How the next start handles the PostgreSQL of a killed process: on a system that does not end it
// with its parent, and when another program has received its process ID.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createProduct } from '@keyfold/testing/product';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './embedded.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'kf-left-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pidOf = (dataDir: string): number =>
  Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a leftover PostgreSQL is stopped, and the next start uses its own', async () => {
  // Without setpriv, as on macOS, PostgreSQL survives when its parent is killed.
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['unshare', 'true', 'ps']) {
    const found = spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();
    if (found !== '') symlinkSync(found, path.join(bin, name));
  }
  const product = await createProduct({ PATH: bin, KEYFOLD_LOG: 'warn' });
  try {
    await product.start();
    const first = pidOf(product.dataDir);
    await product.kill();
    expect(isAlive(first)).toBe(true);
    // Fails after 30 seconds if the leftover is still running.
    await product.start();
    expect(pidOf(product.dataDir)).not.toBe(first);
  } finally {
    await product.remove();
  }
});

test('a lock file that names another program does not block the start, and that program keeps running', async () => {
  const dir = path.join(folder, 'postgres');
  const first = await startEmbeddedPostgres(dir);
  await first.stop();
  const other = spawn('sleep', ['600'], { stdio: 'ignore' });
  try {
    for (const lockFile of [
      path.join(dir, 'postmaster.pid'),
      path.join(first.socketDir, '.s.PGSQL.5432.lock'),
    ])
      writeFileSync(lockFile, `${other.pid}\n${dir}\n`, { mode: 0o600 });
    const second = await startEmbeddedPostgres(dir);
    await second.stop();
    expect(other.exitCode ?? other.signalCode).toBeNull();
  } finally {
    other.kill('SIGKILL');
  }
});

/**
 * A disk that can be filled: a small file system in memory, where this process can mount one (root
 * on Linux). Elsewhere it prints a line that none is available.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SIZE_MIB = 384;
const INODES = 6_000;
const MIB = 1024 * 1024;

/** Returns its mount point, a new folder unless one is given, or null where none can be mounted. */
export function mountSmallDisk({
  at,
  sizeMib = SIZE_MIB,
  inodes = INODES,
}: {
  readonly at?: string;
  readonly sizeMib?: number;
  readonly inodes?: number;
} = {}): string | null {
  const dir = at ?? mkdtempSync(path.join(os.tmpdir(), 'kf-fd-'));
  const options = `size=${sizeMib}m,nr_inodes=${inodes},mode=700`;
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir], { stdio: 'ignore' });
    if (mounted.status === 0) return dir;
  }
  rmSync(dir, { recursive: true });
  process.stdout.write('storage faults: no file system may be mounted here: full disks are left out\n');
  return null;
}

export function unmountSmallDisk(dir: string): void {
  spawnSync('umount', ['-l', dir], { stdio: 'ignore' });
  rmSync(dir, { recursive: true, force: true });
}

/** Fills the disk to the last byte. Returns a function that frees the space again. */
export function fillBytes(dir: string): () => void {
  const file = path.join(dir, 'filler');
  const handle = openSync(file, 'w');
  for (let pieceBytes = MIB; pieceBytes >= 1; pieceBytes = Math.floor(pieceBytes / 16)) {
    const piece = Buffer.alloc(pieceBytes, 1);
    try {
      while (writeSync(handle, piece) > 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(handle);
  return () => rmSync(file);
}

/** Creates files until no inode is left. Returns a function that removes them. */
export function fillInodes(dir: string): () => void {
  const folder = path.join(dir, 'many');
  mkdirSync(folder);
  try {
    for (let made = 0; ; made++) closeSync(openSync(path.join(folder, String(made)), 'w'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  return () => rmSync(folder, { recursive: true });
}

/**
 * Ensures that only one process at a time owns a data directory with the embedded PostgreSQL. The
 * lock is a file with the owner's process ID; the lock of a killed process is detected and taken
 * over. Nodes that share a database through DATABASE_URL need no lock.
 */
import { closeSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const fileOf = (dataDir: string): string => path.join(dataDir, 'keyfold.pid');

/** The data directory belongs to another process. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

function isOurs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  try {
    // The process ID may have been reused by another program.
    return /(main|admin)\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return true;
  }
}

/** Returns the process ID of the living owner of a data directory, or null if there is none. */
export function findOwner(dataDir: string): number | null {
  let pid: number;
  try {
    pid = Number(readFileSync(fileOf(dataDir), 'utf8').trim());
  } catch {
    return null;
  }
  return Number.isInteger(pid) && pid > 0 && pid !== process.pid && isOurs(pid) ? pid : null;
}

/** Locks a data directory; returns a function that releases it. Throws DataDirInUse. */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = fileOf(dataDir);
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = openSync(file, 'wx', 0o600);
      writeSync(handle, `${process.pid}\n`);
      closeSync(handle);
      return () => {
        try {
          unlinkSync(file);
        } catch {
          // Another process has already removed the file.
        }
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = findOwner(dataDir);
      if (owner !== null || attempt > 2) {
        throw new DataDirInUse(
          `${dataDir} is used by another Keyfold process (${owner ?? 'unknown'}). Stop that one, or give this one its own KEYFOLD_DATA, or let both use one DATABASE_URL.`,
        );
      }
      unlinkSync(file);
    }
  }
}

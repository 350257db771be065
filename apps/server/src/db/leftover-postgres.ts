/**
 * Cleans up the PostgreSQL of a killed process: stops one that still runs, and removes a lock file
 * whose process ID now belongs to another program, which PostgreSQL alone would never do. Only for
 * a data directory that we have locked (lock.ts). PostgreSQL itself refuses to start while old
 * processes still use its memory.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Command-line arguments that identify our PostgreSQL for this data directory in the process list.
 */
export const dataDirArguments = (dir: string): readonly string[] => ['-D', dir, '-c', 'listen_addresses='];

function findPid(lockFile: string): number | null {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8').split('\n', 1)[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/** Returns the command line of a process, or null if it does not exist or cannot be read. */
function findCommand(pid: number): string | null {
  const { status, stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  const command = status === 0 ? stdout.trim() : '';
  return command === '' ? null : command;
}

/** Returns the lock files of a server: one in its data directory, one next to its socket. */
const lockFilesOf = (dir: string, socketDir: string): string[] => [
  path.join(dir, 'postmaster.pid'),
  path.join(socketDir, '.s.PGSQL.5432.lock'),
];

/**
 * Stops an earlier PostgreSQL on this data directory or removes its lock files; the process may
 * take a moment to exit.
 */
export function clearLeftover(dir: string, socketDir: string): void {
  for (const lockFile of lockFilesOf(dir, socketDir)) {
    const pid = findPid(lockFile);
    const command = pid === null ? null : findCommand(pid);
    if (pid === null || command === null) continue;
    if (command.includes(dataDirArguments(dir).join(' '))) end(pid);
    else rmSync(lockFile, { force: true });
  }
}

function end(pid: number): void {
  try {
    // Fast shutdown: sessions are disconnected, and everything committed is kept. A second signal
    // does not change a shutdown in progress.
    process.kill(pid, 'SIGINT');
  } catch {
    // The process has exited meanwhile.
  }
}

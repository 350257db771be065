/**
 * Clears away what a killed process left of its PostgreSQL: one that still runs is told to end, and a lock file that
 * names a process which is something else by now is removed, because PostgreSQL alone would believe it for ever. Only
 * for a data directory that is ours (lock.ts); PostgreSQL itself refuses while old processes still use its memory.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The words by which a PostgreSQL of ours on this data directory is known in the list of processes. */
export const dataDirArguments = (dir: string): readonly string[] => ['-D', dir, '-c', 'listen_addresses='];

function findPid(lockFile: string): number | null {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8').split('\n', 1)[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/** The command line of a process; null when there is none, or no way to ask. */
function findCommand(pid: number): string | null {
  const { status, stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  const command = status === 0 ? stdout.trim() : '';
  return command === '' ? null : command;
}

/** The lock files of a server: one in its data, one beside its socket. */
const lockFilesOf = (dir: string, socketDir: string): string[] => [
  path.join(dir, 'postmaster.pid'),
  path.join(socketDir, '.s.PGSQL.5432.lock'),
];

/** Ends or forgets an earlier PostgreSQL on this data directory; it may take a moment to be gone. */
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
    // Fast shutdown: sessions are cut off, and everything committed stays. Told twice, it goes on with the first.
    process.kill(pid, 'SIGINT');
  } catch {
    // It ended by itself meanwhile.
  }
}

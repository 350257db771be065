// Finds and kills the processes that a program started, for tests that end a program abruptly, as a
// power cut would. Kills only descendants of the given process.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the process ids of all descendants of a process, parents before children. Needs `ps`. */
export async function findDescendants(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  const childrenOf = new Map<number, number[]>();
  for (const line of stdout.split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    if (child === undefined || parent === undefined) continue;
    const known = childrenOf.get(parent);
    if (known === undefined) childrenOf.set(parent, [child]);
    else known.push(child);
  }
  const found: number[] = [];
  for (let next = [pid]; next.length > 0; ) {
    next = next.flatMap(one => childrenOf.get(one) ?? []);
    found.push(...next);
  }
  return found;
}

/** Kills processes with -9; processes that are already gone are ignored. */
export function killHard(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/**
 * Processor seconds of a process and all its descendants, from /proc: the cost of a server,
 * independent of other load on the machine. Children that have ended count through their parents.
 */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

const readProcesses = () =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The name in parentheses may contain spaces; the fields after it do not.
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
        const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
        return [{ pid: Number(name), parent: Number(fields[1]), ticks }];
      } catch {
        return [];
      }
    });

/**
 * Returns the processor time used so far by these processes and all their descendants, in seconds.
 */
export function cpuSeconds(...roots) {
  const processes = readProcesses();
  const wanted = new Set(roots);
  for (let size = -1; size !== wanted.size; ) {
    size = wanted.size;
    for (const { pid, parent } of processes) if (wanted.has(parent)) wanted.add(pid);
  }
  const ticks = processes.reduce((sum, one) => sum + (wanted.has(one.pid) ? one.ticks : 0), 0);
  return ticks / TICKS_PER_SECOND;
}

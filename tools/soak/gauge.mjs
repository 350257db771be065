/**
 * Loaded into each node of the soak before its own program (`--import`): every half minute, collects all garbage and notes what is
 * left, one JSON line each in `SOAK_FOLDER/PID.jsonl`: `atMs` since 1970, and in bytes `heap` (objects that live), `external`
 * (what they hold outside of the heap) and `resident` (of the process, the lowest of ten looks in the ten seconds after it, in which
 * the system takes pages back and requests come and go).
 * Between collections a process grows by a hundred megabytes and more, and a line through that tells nothing of one megabyte.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { getHeapCodeStatistics, getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 30_000;
const LOOKS = 10;
const BETWEEN_LOOKS_MS = 1_000;

const folder = process.env.SOAK_FOLDER;
if (isMainThread && folder !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const note = async () => {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const { heapUsed: heap, external } = process.memoryUsage();
    const spaces = Object.fromEntries(
      getHeapSpaceStatistics().map(space => [space.space_name, space.space_used_size]),
    );
    const code = getHeapCodeStatistics();
    let resident = Number.POSITIVE_INFINITY;
    for (let look = 0; look < LOOKS; look++) {
      await setTimeout(BETWEEN_LOOKS_MS, undefined, { ref: false });
      resident = Math.min(resident, process.memoryUsage.rss());
    }
    const line = { atMs: Date.now(), heap, external, resident, spaces, code };
    appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`);
  };
  setInterval(note, EVERY_MS).unref();
}

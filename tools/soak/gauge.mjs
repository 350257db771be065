/**
 * Loaded into each node of the soak before its own program (`--import`): every half minute, collects all garbage and notes what is
 * left, one JSON line each in `SOAK_FOLDER/PID.jsonl`: `atMs` since 1970, and in bytes `heap` (all that lives in it), of which `code` is
 * compiled code with its bytecode and tables and `objects` the rest, `external` (what they hold outside of the heap) and `resident` (of
 * the process, the lowest of ten looks in the ten seconds after it, in which the system takes pages back and requests come and go).
 * Code goes on being compiled for hours, ever less of it, as functions that are seldom called become hot; a leak is of objects.
 * Between collections a process grows by a hundred megabytes and more, and a line through that tells nothing of one megabyte.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 30_000;
const LOOKS = 10;
const BETWEEN_LOOKS_MS = 1_000;
/** Where V8 keeps machine code, and what belongs to it: bytecode, tables of addresses, what it falls back by. */
const CODE_SPACES = /^(shared_)?(code|trusted)_/;

const folder = process.env.SOAK_FOLDER;
if (isMainThread && folder !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const note = async () => {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const { heapUsed: heap, external } = process.memoryUsage();
    const code = getHeapSpaceStatistics()
      .filter(({ space_name: name }) => CODE_SPACES.test(name))
      .reduce((sum, { space_used_size: size }) => sum + size, 0);
    let resident = Number.POSITIVE_INFINITY;
    for (let look = 0; look < LOOKS; look++) {
      await setTimeout(BETWEEN_LOOKS_MS, undefined, { ref: false });
      resident = Math.min(resident, process.memoryUsage.rss());
    }
    const line = { atMs: Date.now(), heap, code, objects: heap - code, external, resident };
    appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`);
  };
  setInterval(note, EVERY_MS).unref();
}

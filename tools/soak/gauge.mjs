/**
 * Preloaded into each node of the soak test (`--import`). Every half minute it collects all garbage
 * and records what is left, one JSON line each in `SOAK_FOLDER/PID.jsonl`: `atMs` since 1970, and
 * in bytes `heap` (everything alive in it), of which `code` is compiled code with its bytecode and
 * tables and `objects` the rest, `external` (memory that they hold outside the heap) and `resident`
 * (of the process, the lowest of ten samples in the following ten seconds, in which the system
 * reclaims pages and requests start and finish). Code keeps being compiled for hours at a
 * decreasing rate, as rarely called functions become hot; a leak consists of objects. Between
 * collections a process grows by a hundred megabytes and more, so a line through those values
 * cannot show one megabyte.
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
/** V8 spaces for machine code and its metadata: bytecode, address tables, deoptimization data. */
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

/**
 * Loaded into each node of the soak before its own program (`--import`): every half minute, collects all garbage and notes what is
 * left, one JSON line each in `SOAK_FOLDER/PID.jsonl`: `atMs` since 1970, and in bytes `heap` (objects that live), `external`
 * (what they hold outside of the heap) and `resident` (of the process, when the system has had a second to take pages back).
 * Between collections a process grows by a hundred megabytes and more, and a line through that tells nothing of one megabyte.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 30_000;
const SETTLE_MS = 1_000;

const folder = process.env.SOAK_FOLDER;
if (isMainThread && folder !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const note = () => {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const { heapUsed: heap, external } = process.memoryUsage();
    setTimeout(() => {
      const line = { atMs: Date.now(), heap, external, resident: process.memoryUsage.rss() };
      appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`);
    }, SETTLE_MS).unref();
  };
  setInterval(note, EVERY_MS).unref();
}

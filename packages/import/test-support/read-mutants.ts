// Separate process: `node read-mutants.ts COUNT FILE...` reads COUNT damaged copies of the files,
// one after the other, and prints the outcomes and the cost as JSON. Any error other than Keyfold's
// own ends it.

import { readFileSync } from 'node:fs';
import process from 'node:process';
import { sourceOfBytes } from '../src/byte-source.ts';
import { ImportError } from '../src/errors.ts';
import { openPst } from '../src/pst/reader.ts';
import { damaged } from './mutate.ts';

const [count, ...names] = process.argv.slice(2);
const files = names.map(name => new Uint8Array(readFileSync(name)));
const outcomes: Record<string, number> = { mail: 0, contact: 0, broken: 0 };
let slowestMs = 0;

for (let seed = 0; seed < Number(count); seed++) {
  const startedAt = performance.now();
  try {
    const reader = await openPst(
      sourceOfBytes(damaged(files[seed % files.length] ?? new Uint8Array(), seed)),
    );
    for await (const { kind } of reader.items()) outcomes[kind] = (outcomes[kind] ?? 0) + 1;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    outcomes[error.code] = (outcomes[error.code] ?? 0) + 1;
  }
  slowestMs = Math.max(slowestMs, performance.now() - startedAt);
}

const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const cpuMs = (userCPUTime + systemCPUTime) / 1000;
process.stdout.write(JSON.stringify({ outcomes, cpuMs, peakBytes: maxRSS * 1024, slowestMs }));

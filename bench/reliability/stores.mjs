/**
 * Rows 3 to 5: a database, a disk and a clock that fail while mail continues
 * (faults-database.test.ts, faults-disk.test.ts, faults-storage.test.ts), for as long as the goals
 * name.
 */
import { largestIn, lineOfTests, saidBy } from './row.mjs';
import { runTests } from './test-run.mjs';

const FAULT_TESTS = 'apps/server/tests/';
/** One round of the long form. */
const LONG = { KEYFOLD_FAULT_ROUNDS: '1' };

const runFaults = (file, only) =>
  runTests({
    project: 'integration',
    files: [`${FAULT_TESTS}${file}`],
    only,
    env: LONG,
    timeoutMs: 3_600_000,
  });

export const database = {
  goal: '503 and 451 at once, no partial changes, counters equal to a recount, automatic recovery: restart, immediate stop, connections killed every 2 s, unavailable for 60 s, read-only, pool exhausted',
  measure: async () => {
    const run = await runFaults('faults-database.test.ts');
    const figures = {
      refusal_slowest_ms: largestIn(run.lines, /(?:HTTP|SMTP) \d+ in (\d+) ms/g),
      recovery_slowest_ms: largestIn(run.lines, /(?:back|answers again|answers) after (\d+) ms/g),
      said: saidBy(run.lines, 'database faults'),
    };
    return lineOfTests('database', database.goal, run, { figures });
  },
};

export const disk = {
  goal: '452 and 507, reading still works, recovers when space is back: disk full and out of inodes (data, blobs, tmp, logs)',
  measure: async () => {
    const run = await runFaults('faults-disk.test.ts', 'a disk ');
    const figures = {
      recovery_slowest_ms: largestIn(run.lines, /back after (\d+) ms/g),
      said: saidBy(run.lines, 'storage faults'),
    };
    return lineOfTests('disk', disk.goal, run, { figures });
  },
};

export const clock = {
  goal: 'nothing deleted early, sessions and codes follow the documented rules: clock +-1 h, +-1 d, DST',
  measure: async () => {
    const run = await runFaults('faults-storage.test.ts', 'a clock ');
    return lineOfTests('clock', clock.goal, run, { figures: { tests: run.passed } });
  },
};

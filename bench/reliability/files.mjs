/**
 * The row of damaged PST files, read by a separate process
 * (packages/import/src/pst/hostile.test.ts).
 */
import { lineOfTests, numbersIn, saidBy } from './row.mjs';
import { runTests } from './test-run.mjs';

const VIEW_MAX_MS = 2_000;
const SAID = 'pst mutants';

export const pst = {
  goal: 'no crash, < 60 s CPU, < 512 MB, separate process: 300 mutants; each read within 2 s',
  measure: async () => {
    const run = await runTests({ project: 'unit', files: ['packages/import/src/pst/hostile.test.ts'] });
    const last = pattern => numbersIn(run.lines, pattern).at(-1) ?? null;
    const slowestMs = last(/slowest (\d+) ms/g);
    const slow = slowestMs !== null && slowestMs >= VIEW_MAX_MS ? [`the slowest took ${slowestMs} ms`] : [];
    const figures = {
      mutants: last(/pst mutants: (\d+)/g),
      cpu_ms: last(/(\d+) ms CPU/g),
      peak_mb: last(/(\d+) MB/g),
      slowest_ms: slowestMs,
      said: saidBy(run.lines, SAID),
    };
    const shortOf = slowestMs === null ? ['the test of mutants printed no figures'] : [];
    return lineOfTests('pst', pst.goal, { ...run, failed: [...run.failed, ...slow] }, { figures, shortOf });
  },
};

/**
 * The row of the soak test: two nodes under a mixed load (`npm run test:soak`), with a line fitted
 * to their memory and descriptors. A short run cannot be certain about a small slope. The row is
 * met when the slope of the memory that survives collections plus its uncertainty is below the
 * goal. It is missed when even the slope minus its uncertainty is above the goal, for that memory
 * or for the whole process. Otherwise it is open.
 */
import process from 'node:process';
import { runCommand } from '../../tools/run-command.mjs';
import { lineOfFigure } from './row.mjs';

const MINUTES = 15;
const MINUTE_MS = 60_000;
const AROUND_MS = 10 * MINUTE_MS;
const LIMIT_MB_AN_HOUR = 1;
/**
 * One descriptor in a run of a quarter of an hour is four an hour; a real leak loses one with each
 * of many requests.
 */
const FLAT_AN_HOUR = 60;

const asJson = line => (line.startsWith('{"bench":"soak') ? [JSON.parse(line)] : []);

export const soak = {
  goal: 'RSS slope < 1 MB/h, descriptors flat: soak with mixed load',
  measure: async (_once, { minutes = MINUTES }) => {
    const { output, code } = await runCommand(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'tools/soak.mjs', String(minutes)],
      { timeoutMs: minutes * MINUTE_MS + AROUND_MS },
    );
    const lines = output.split('\n').flatMap(asJson);
    const living = lines.filter(({ bench }) => /live (objects|external)/.test(bench));
    const counting = lines.filter(({ bench, counts }) => counts === true || /memory floor/.test(bench));
    const open = lines.filter(({ bench }) => /descriptors/.test(bench));
    const highest = one => one.ours + one.plus_minus_dependent;
    const worst = living.toSorted((a, b) => highest(b) - highest(a))[0];
    const growing = counting.filter(one => one.ours - one.plus_minus_dependent >= LIMIT_MB_AN_HOUR);
    const leaking = open.filter(one => one.ours - one.plus_minus > FLAT_AN_HOUR);
    const isSure = worst !== undefined && highest(worst) < LIMIT_MB_AN_HOUR;
    const failures = [...growing, ...leaking].map(one => JSON.stringify(one));
    if (code !== 0 && failures.length === 0) failures.push(`the soak test exited with code ${code}`);
    const figures = { minutes, lines };
    const unit =
      'MB per hour, node with the higher growth, live objects and buffers after garbage collection';
    const row = { ours: worst?.ours ?? null, limit: LIMIT_MB_AN_HOUR, unit, failures, figures };
    const isUnsure = failures.length === 0 && !isSure && worst !== undefined;
    const line = lineOfFigure('soak', soak.goal, {
      ...row,
      shortOf: isUnsure
        ? [`after ${minutes} minutes the uncertainty is ${worst.plus_minus_dependent} MB per hour`]
        : [],
    });
    // A slope above the goal but within its own uncertainty proves nothing.
    return isUnsure ? { ...line, met: null } : line;
  },
};

/**
 * The row of enumeration: the benchmark of that name measures precisely; a test that runs with all
 * others measures coarsely.
 */
import { run as runEnumeration } from '../enumeration.mjs';
import { lineOfFigure } from './row.mjs';
import { runTests } from './test-run.mjs';

const DIFFERENCE_MAX_PERCENT = 5;

export const enumeration = {
  goal: 'same status, text and time (difference < 5 %, p > 0.01): login, register, mfa, keys, contacts',
  measure: async () => {
    const test = await runTests({
      project: 'integration',
      files: ['apps/server/src/features/accounts/auth/login-time.test.ts'],
    });
    const lines = await Array.fromAsync(runEnumeration([]));
    const missed = lines.filter(({ met }) => met === false);
    const open = lines.filter(({ met }) => met === null);
    return lineOfFigure('enumeration', enumeration.goal, {
      // Open results may be any number. The row's value is the largest of the results that are
      // decided.
      ours: Math.max(...lines.filter(({ met }) => met !== null).map(({ ours }) => ours)),
      limit: DIFFERENCE_MAX_PERCENT,
      unit: '% between medians, largest of all calls',
      failures: [...missed.map(({ bench }) => bench), ...test.failed],
      shortOf: [
        ...open.map(({ bench, not_measured }) => `${bench}: ${(not_measured ?? []).join(', ')}`),
        ...test.notRun,
      ],
      figures: Object.fromEntries(
        lines.map(({ bench, ours, figures }) => [
          bench,
          { difference_percent: ours, p: figures.runs.at(-1).p },
        ]),
      ),
    });
  },
};

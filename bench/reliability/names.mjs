/**
 * The row of enumeration: the fine measure is the benchmark of that name, the coarse one a test that runs with all others.
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
      // What is open may be any number; the largest of those that were told apart from chance, or not, is the row's.
      ours: Math.max(...lines.filter(({ met }) => met !== null).map(({ ours }) => ours)),
      limit: DIFFERENCE_MAX_PERCENT,
      unit: '% between medians, the largest of all calls',
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

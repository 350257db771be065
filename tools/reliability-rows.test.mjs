// What the benchmarks say of a row of the reliability goals: nothing counts as passed that was not seen.
import { describe, expect, it } from 'vitest';
import { askInPairs, compare } from '../bench/enumeration/compare.mjs';
import { mannWhitneyP, median } from '../bench/enumeration/mann-whitney.mjs';
import { lineOfFigure, lineOfTests } from '../bench/reliability/row.mjs';
import { runTests, sortTests } from '../bench/reliability/test-run.mjs';
import { ROWS, readArguments } from '../bench/reliability.mjs';

const report = (...fates) => [
  {
    name: '/somewhere/a.test.ts',
    status: fates.includes('failed') ? 'failed' : 'passed',
    assertionResults: fates.map((status, index) => ({ fullName: `a disk ${index}`, status })),
  },
];
const lineFor = (...fates) => lineOfTests('disk', 'goal', { lines: [], ...sortTests(report(...fates)) });

describe('a row of tests', () => {
  it('is met when all passed, missed when one failed, and open when one did not run', () => {
    expect(lineFor('passed', 'passed')).toMatchObject({ met: true, ours: 0 });
    expect(lineFor('passed', 'failed')).toMatchObject({ met: false, ours: 1 });
    for (const fate of ['skipped', 'pending', 'todo', 'disabled'])
      expect(lineFor('passed', fate)).toMatchObject({
        met: null,
        not_measured: [expect.stringContaining(fate)],
      });
    expect(lineFor('skipped')).toMatchObject({ met: null, ours: null });
  });

  it('is missed by a file that failed before its first test', () => {
    const broken = [{ name: '/a.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] }];
    expect(lineOfTests('disk', 'goal', { lines: [], ...sortTests(broken) })).toMatchObject({ met: false });
  });

  it('is open when its file is not there', async () => {
    const run = await runTests({ project: 'unit', files: ['apps/server/tests/nowhere.test.ts'] });
    expect(lineOfTests('races', 'goal', run)).toMatchObject({
      met: null,
      ours: null,
      not_measured: ['apps/server/tests/nowhere.test.ts (not there)'],
    });
  });

  it('is open with fewer rounds than the goal names', () => {
    const run = { passed: 1, failed: [], notRun: [], lines: [] };
    expect(lineOfTests('inbound', 'goal', run, { shortOf: ['500 moments'] })).toMatchObject({ met: null });
  });
});

it('a row of a figure is met below its limit, and open without a figure', () => {
  const line = ours => lineOfFigure('clients', 'goal', { ours, limit: 300, unit: 'ms' });
  expect([line(299).met, line(300).met, line(null).met]).toEqual([true, false, null]);
});

it('rows are chosen by name, and what is no row is refused', () => {
  expect(readArguments(['database', 'rounds=60'])).toEqual({ names: ['database'], numbers: { rounds: 60 } });
  expect(readArguments([]).names).toHaveLength(16);
  expect(Object.values(ROWS).every(({ goal }) => goal.length > 20)).toBe(true);
  for (const wrong of [['databse'], ['rounds=many'], ['hours=3']])
    expect(() => readArguments(wrong)).toThrow('the rows are inbound, send, ');
});

describe('two samples', () => {
  it('are compared as Mann and Whitney do', () => {
    // Ages at diagnosis, from the documentation of SciPy: 0.1113 with the correction for continuity.
    expect(mannWhitneyP([19, 22, 16, 29, 24], [20, 11, 17, 12])).toBeCloseTo(0.1113, 3);
    expect(mannWhitneyP([1, 1, 1], [1, 1, 1])).toBe(1);
    expect(median([3, 1, 2, 10])).toBe(2.5);
  });

  it('differ when one address takes longer, and are told apart by an answer', async () => {
    const slow = async address => {
      if (address === 'taken') await new Promise(resolve => setTimeout(resolve, 8));
      return `401 ${address}`;
    };
    const timed = compare(await askInPairs(slow, [['taken', 'free']], 12));
    expect(timed.isTold).toBe(false);
    expect(timed.p).toBeLessThan(0.01);
    expect(timed.differencePercent).toBeGreaterThan(50);
    const told = compare(
      await askInPairs(async address => (address === 'a' ? '409 x' : '200 y'), [['a', 'b']], 2),
    );
    expect(told.isTold).toBe(true);
  });
});

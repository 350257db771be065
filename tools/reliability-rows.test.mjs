// Checks how the benchmarks report a row of the reliability goals: nothing counts as passed unless
// it was measured.
import { describe, expect, it } from 'vitest';
import { isBackInTime, watchFlood } from '../apps/server/tests/faults/memory.ts';
import { askInPairs, compare } from '../bench/enumeration/compare.mjs';
import { mannWhitneyP, median } from '../bench/enumeration/mann-whitney.mjs';
import { judgeSlowloris, judgeSmuggling } from '../bench/reliability/network.mjs';
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
const lineFor = (...fates) => lineOfTests('disk', 'goal', sortTests(report(...fates)));

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
    expect(lineOfTests('disk', 'goal', sortTests(broken))).toMatchObject({ met: false });
  });

  it('is open when its file is missing', async () => {
    const run = await runTests({ project: 'unit', files: ['apps/server/tests/nowhere.test.ts'] });
    expect(lineOfTests('races', 'goal', run)).toMatchObject({
      met: null,
      ours: null,
      not_measured: ['apps/server/tests/nowhere.test.ts (missing)'],
    });
  });

  it('is open with fewer rounds than the goal requires', () => {
    const run = { passed: 1, failed: [], notRun: [], lines: [] };
    expect(lineOfTests('inbound', 'goal', run, { shortOf: ['500 moments'] })).toMatchObject({ met: null });
  });
});

it('a row with a figure is met below its limit and open without a figure', () => {
  const line = ours => lineOfFigure('clients', 'goal', { ours, limit: 300, unit: 'ms' });
  expect([line(299).met, line(300).met, line(null).met]).toEqual([true, false, null]);
});

describe('the row of slow clients', () => {
  const whole = { passed: true, attempted: 5_000, reached: 5_000, visits: 200, served: 200, p95_ms: 12 };
  const judge = (http = {}, smtp = {}) =>
    judgeSlowloris({
      calmMs: 8,
      faults: new Map([
        ['slowloris on HTTP', { fault: 'slowloris on HTTP', ...whole, held: 5_000, refused: 0, ...http }],
        ['slowloris on SMTP', { fault: 'slowloris on SMTP', ...whole, held: 2_000, refused: 3_000, ...smtp }],
      ]),
    });

  it('is met by the user’s waiting time, however many clients were rejected', () => {
    expect(judge()).toMatchObject({
      met: true,
      ours: 1.5,
      figures: {
        held: { 'slowloris on HTTP': 5_000, 'slowloris on SMTP': 2_000 },
        refused_by_design: { 'slowloris on HTTP': 0, 'slowloris on SMTP': 3_000 },
      },
    });
    expect(judge({}, { p95_ms: 16 })).toMatchObject({ met: false, ours: 2 });
  });

  it('is missed if a user request got no answer, and open with too few clients or no report', () => {
    expect(judge({}, { served: 199 }).met).toBe(false);
    expect(judge({}, { served: undefined }).met).toBe(false);
    expect(judge({}, { passed: false, served: 0, p95_ms: null })).toMatchObject({ met: false, ours: null });
    expect(judge({ attempted: 3_000, reached: 3_000 })).toMatchObject({
      met: null,
      not_measured: ['slowloris on HTTP: 3000 of 5000 connections attempted'],
    });
    expect(judge({ reached: 4_000 })).toMatchObject({ met: null });
    expect(judgeSlowloris({ calmMs: 8, faults: new Map() })).toMatchObject({ met: null, ours: null });
  });
});

describe('the row of floods', () => {
  const NAMES = ['connections that come and go', 'flood of malformed HTTP', 'flood of malformed SMTP'];
  const tests = { passed: 1, failed: [], notRun: [], lines: [] };
  const judge = last =>
    judgeSmuggling(
      tests,
      new Map(
        NAMES.map((fault, index) => [
          fault,
          { fault, passed: true, ...(index === 0 ? last : { back_after_ms: 100 }) },
        ]),
      ),
    );

  it('is met when memory recovered in time after each flood, and open without a figure', () => {
    expect(judge({ back_after_ms: 2_000 })).toMatchObject({
      met: true,
      figures: { back_after_slowest_ms: 2_000 },
    });
    expect(judge({})).toMatchObject({
      met: null,
      not_measured: ['connections that come and go: memory was not measured'],
      figures: { back_after_slowest_ms: null },
    });
    expect(judge({ back_after_ms: 2_001 }).met).toBe(false);
    expect(judge({ back_after_ms: null }).met).toBe(false);
    expect(judgeSmuggling(tests, new Map()).met).toBe(null);
  });
});

describe('memory after a flood', () => {
  const MIB = 1024 * 1024;
  const times = { restMs: 30, waitedMaxMs: 60, lookEveryMs: 5 };
  /** Simulates a service with the given memory during the flood and a moment later. */
  const watch = async (during, after) => {
    let bytes = 100 * MIB;
    const asked = [];
    const flood = async turns => {
      asked.push(turns);
      bytes = (turns === 1 ? 120 : during) * MIB;
      if (turns === 1) return;
      setTimeout(() => {
        bytes = after * MIB;
      }, 20);
    };
    const { memory } = await watchFlood(flood, { warmTurns: 1, turns: 4 }, () => bytes, times);
    expect(asked).toEqual([1, 4]);
    return memory;
  };

  it('is compared with the calm before the flood, not with the flood itself', async () => {
    const back = await watch(300, 160);
    expect(back).toMatchObject({ calm_rss_mb: 120, rss_mb_over_calm_at_end: 180, rss_mb_over_calm: 40 });
    expect(back.back_after_ms).toBeGreaterThan(0);
    expect(isBackInTime(back)).toBe(true);
    const kept = await watch(300, 290);
    expect(kept).toMatchObject({ back_after_ms: null, rss_mb_over_calm: 170 });
    expect(isBackInTime(kept)).toBe(false);
  });
});

it('rows are chosen by name, and unknown rows are refused', () => {
  expect(readArguments(['database', 'rounds=60'])).toEqual({ names: ['database'], numbers: { rounds: 60 } });
  expect(readArguments([]).names).toHaveLength(16);
  expect(Object.values(ROWS).every(({ goal }) => goal.length > 20)).toBe(true);
  for (const wrong of [['databse'], ['rounds=many'], ['hours=3']])
    expect(() => readArguments(wrong)).toThrow('available rows: inbound, send, ');
});

describe('two samples', () => {
  it('are compared with the Mann–Whitney test', () => {
    // Ages at diagnosis, from the SciPy documentation: 0.1113 with continuity correction.
    expect(mannWhitneyP([19, 22, 16, 29, 24], [20, 11, 17, 12])).toBeCloseTo(0.1113, 3);
    expect(mannWhitneyP([1, 1, 1], [1, 1, 1])).toBe(1);
    expect(median([3, 1, 2, 10])).toBe(2.5);
  });

  it('differ when one address takes longer or gets another answer', async () => {
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

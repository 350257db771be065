import { describe, expect, it } from 'vitest';
import { readReport } from './suite.mjs';

const test = (status, fullName) => ({ status, fullName });

describe('readReport', () => {
  it('sums the tests of all files and names the failed ones with their file', () => {
    const report = {
      testResults: [
        {
          name: '/r/a.test.ts',
          status: 'passed',
          assertionResults: [test('passed', 'a one'), test('skipped', 'a two')],
        },
        {
          name: '/r/b.test.ts',
          status: 'failed',
          assertionResults: [test('failed', 'b one'), test('passed', 'b two')],
        },
      ],
    };
    expect(readReport(report, '/r')).toEqual({
      passed: 2,
      failed: 1,
      skipped: 1,
      failures: ['b.test.ts: b one'],
    });
  });

  it('states in one line why and where a test failed', () => {
    const failureMessages = [
      'AssertionError: expected 2 to be 1\n\n- 1\n+ 2\n    at helper (/r/help.ts:3:1)\n    at /r/a.test.ts:14:20',
    ];
    const failed = { ...test('failed', 'a'), failureMessages };
    expect(
      readReport({ testResults: [{ name: '/r/a.test.ts', assertionResults: [failed] }] }, '/r'),
    ).toMatchObject({
      failures: ['a.test.ts: a: AssertionError: expected 2 to be 1 - 1 + 2 (a.test.ts:14)'],
    });
  });

  it('counts a file that could not be loaded as one failure', () => {
    const report = {
      testResults: [
        { name: '/r/a.test.ts', status: 'failed', message: 'no such module\nat x', assertionResults: [] },
      ],
    };
    expect(readReport(report, '/r')).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
      failures: ['a.test.ts: no such module'],
    });
  });

  it('counts a failed hook even if every test passed', () => {
    const report = {
      testResults: [
        { name: '/r/a.test.ts', status: 'failed', message: '', assertionResults: [test('passed', 'a')] },
      ],
    };
    expect(readReport(report, '/r')).toMatchObject({ passed: 1, failed: 1 });
  });

  it('is all zeros for a project without tests', () => {
    expect(readReport({ testResults: [] })).toEqual({ passed: 0, failed: 0, skipped: 0, failures: [] });
  });
});

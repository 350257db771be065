/**
 * Runs one vitest project and reads its JSON report. A file that cannot be loaded has no tests in
 * vitest's report and counts as one failure, as does a run that ends without a report.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { bin, root, runCommand } from './run-command.mjs';

/**
 * Passed, failed and skipped counts of a suite or of the checks, and the failed names with reasons.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} SuiteResult
 */

const WHY_MAX_CHARACTERS = 400;

/** Returns a failed test's message and the failing line of the test, on one line. */
function whyOf({ failureMessages = [] }) {
  const [message = ''] = failureMessages;
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map(line => line.trim());
  const said = lines.filter(line => line !== '' && !line.startsWith('at ')).join(' ');
  const place = lines.find(line => /^at .*\.test\.(?:ts|tsx|mjs):\d+/.test(line));
  const where = place === undefined ? '' : ` (${/[^/]+\.test\.\w+:\d+/.exec(place)?.[0]})`;
  return said === '' ? '' : `: ${said.slice(0, WHY_MAX_CHARACTERS)}${where}`;
}

/** @returns {SuiteResult} */
export const emptyResult = () => ({ passed: 0, failed: 0, skipped: 0, failures: [] });

/**
 * Returns the counts of a vitest JSON report, and the failed tests with their reasons, because
 * often only the end of a log is kept.
 */
export function readReport(report, base = root) {
  const result = emptyResult();
  for (const file of report.testResults ?? []) {
    const name = path.relative(base, file.name);
    const tests = file.assertionResults ?? [];
    for (const test of tests) {
      if (test.status === 'passed') result.passed += 1;
      else if (test.status === 'failed') {
        result.failed += 1;
        result.failures.push(`${name}: ${test.fullName}${whyOf(test)}`);
      } else result.skipped += 1;
    }
    const hasFailedTest = tests.some(test => test.status === 'failed');
    if (file.status === 'failed' && !hasFailedTest) {
      result.failed += 1;
      result.failures.push(
        `${name}: ${(file.message || 'the file failed outside its tests').split('\n')[0]}`,
      );
    }
  }
  return result;
}

/**
 * Runs a project to its end, shows vitest's own report of failures, and returns counts and failed
 * names.
 * @param {string} project
 * @param {{ timeoutMs: number, env?: Record<string, string>, filters?: string[] }} options
 */
export async function runSuite(project, { timeoutMs, env = {}, filters = [] }) {
  const file = path.join(root, '.cache/test', `${project}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const args = [
    'run',
    '--project',
    project,
    '--passWithNoTests',
    '--allowOnly=false',
    '--silent=passed-only',
    '--reporter=default',
    '--reporter=json',
  ];
  const run = await runCommand(bin('vitest'), [...args, `--outputFile.json=${file}`, ...filters], {
    env: { ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...env },
    timeoutMs,
    show: true,
  });
  const result = existsSync(file) ? readReport(JSON.parse(readFileSync(file, 'utf8'))) : emptyResult();
  if (run.isLate) {
    result.failed += 1;
    result.failures.push(`${project}: not finished after ${timeoutMs / 60_000} minutes`);
  } else if (run.code !== 0 && result.failed === 0) {
    result.failed += 1;
    result.failures.push(`${project}: vitest ended with code ${run.code}, outside of all tests`);
  }
  return result;
}

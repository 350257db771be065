/**
 * Runs existing test files and reads each test's result from vitest's JSON report and the printed
 * lines from the output. A missing file, a skipped test, and a run that ended before its report are
 * reported as such and never as passed.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bin, root, runCommand } from '../../tools/run-command.mjs';

/**
 * Result of a run: the number of passed tests, the names of failed tests, the names of tests that
 * did not run with the reason, and the printed lines.
 * @typedef {{ passed: number, failed: string[], notRun: string[], lines: string[] }} TestRun
 */

/** @returns {TestRun} */
export const emptyRun = () => ({ passed: 0, failed: [], notRun: [], lines: [] });

async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).testResults;
  } catch {
    return null;
  }
}

/**
 * Sorts the tests of a report; a file that failed without a test counts as a failure under its own
 * name.
 * @param {{ name: string, status: string, message?: string, assertionResults: { fullName: string,
 *   status: string }[] }[]} report
 * @param {(name: string) => boolean} isWanted
 */
export function sortTests(report, isWanted = () => true) {
  const sorted = emptyRun();
  for (const { name, status, message = '', assertionResults } of report) {
    const file = path.relative(root, name);
    if (status === 'failed' && !assertionResults.some(test => test.status === 'failed'))
      sorted.failed.push(`${file}: ${message.split('\n')[0]}`);
    for (const { fullName, status: fate } of assertionResults.filter(test => isWanted(test.fullName))) {
      if (fate === 'passed') sorted.passed++;
      else if (fate === 'failed') sorted.failed.push(`${file}: ${fullName}`);
      else sorted.notRun.push(`${file}: ${fullName} (${fate})`);
    }
  }
  return sorted;
}

/**
 * Runs `files` of a vitest project. `only` is the prefix of the wanted tests' names; `env` adds to
 * the environment; `timeoutMs` limits the whole run.
 * @param {{ project: string, files: string[], only?: string, env?: Record<string, string>,
 *   timeoutMs?: number }} options
 * @returns {Promise<TestRun>}
 */
export async function runTests({ project, files, only, env = {}, timeoutMs = 1_800_000 }) {
  const run = emptyRun();
  const present = files.filter(file => existsSync(path.join(root, file)));
  run.notRun.push(...files.filter(file => !present.includes(file)).map(file => `${file} (missing)`));
  if (present.length === 0) return run;
  const dir = await mkdtemp(path.join(os.tmpdir(), 'kf-report-'));
  const report = path.join(dir, 'report.json');
  const filter = only === undefined ? [] : ['-t', `^${only}`];
  const { code, output } = await runCommand(
    bin('vitest'),
    [
      ...['run', '--project', project, '--reporter=default', '--reporter=json'],
      ...[`--outputFile.json=${report}`, ...filter, ...present],
    ],
    { env: { NO_COLOR: '1', ...env }, timeoutMs },
  );
  const results = await readReport(report);
  await rm(dir, { recursive: true, force: true });
  run.lines.push(...output.split('\n'));
  if (results === null) {
    const end = output.trim().split('\n').slice(-3).join(' ');
    run.failed.push(`${present.join(' ')}: ${code === null ? 'timed out' : `no report: ${end}`}`);
    return run;
  }
  const sorted = sortTests(results, name => only === undefined || name.startsWith(only));
  if (sorted.passed + sorted.failed.length + sorted.notRun.length === 0)
    sorted.notRun.push(`${present.join(' ')}: no test begins with "${only}"`);
  const known = sorted.failed.length > 0 || code === 0;
  return {
    ...run,
    passed: sorted.passed,
    failed: known ? sorted.failed : [`${present.join(' ')}: exited with code ${code}`],
    notRun: [...run.notRun, ...sorted.notRun],
  };
}

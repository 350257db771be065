/**
 * `npm test`: runs the checks, then unit, integration (real PostgreSQL and SMTP) and browser tests,
 * in sequence, in 25 to 60 minutes on two cores. The limits below catch hangs. Needs no network,
 * terminal or input. The last line is always `N passed, N failed`, with `, N skipped` when
 * something was skipped; the exit code is 0 only when nothing failed.
 */
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { findBrowser, findFirefox } from './browser.mjs';
import { reportLine, runChecks } from './checks.mjs';
import { emptyResult, runSuite } from './suite.mjs';

const MINUTE_MS = 60_000;
const SUITES = [
  { project: 'unit', title: 'unit tests', timeoutMs: 8 * MINUTE_MS },
  { project: 'integration', title: 'integration tests', timeoutMs: 25 * MINUTE_MS },
  { project: 'browser', title: 'browser tests', timeoutMs: 50 * MINUTE_MS },
  { project: 'browser-alone', title: 'browser tests, one at a time', timeoutMs: 10 * MINUTE_MS },
];

const total = emptyResult();
function add(result) {
  total.passed += result.passed;
  total.failed += result.failed;
  total.skipped += result.skipped;
  total.failures.push(...result.failures);
}

const lines = [];
const browser = findBrowser();
const firefox = findFirefox();
const browserPaths = {
  ...(browser ? { CHROMIUM_PATH: browser } : {}),
  ...(firefox ? { FIREFOX_PATH: firefox } : {}),
};
add(await runChecks());
for (const { project, title, timeoutMs } of SUITES) {
  const startedAtMs = performance.now();
  // Browser tests detect by themselves whether they can run. Without a browser they count as
  // skipped, and the reason is printed here.
  const missing = [
    ...(project.startsWith('browser') && !browser ? ['no Chromium was found; set CHROMIUM_PATH'] : []),
    ...(project === 'browser' && !firefox ? ['no Firefox was found; set FIREFOX_PATH'] : []),
  ];
  const result = await runSuite(project, { timeoutMs, env: browserPaths });
  add(result);
  const counts = `${title}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`;
  lines.push(reportLine(result.failed === 0, counts, startedAtMs, missing.join(', ')));
  console.log(lines.at(-1));
}

console.log('');
for (const line of lines) console.log(line);
for (const failure of total.failures) console.log(`FAIL  ${failure}`);
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = total.failed === 0 ? 0 : 1;

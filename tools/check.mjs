/**
 * `npm run check`: all checks that do not start the product, in about half a minute. Format, lint,
 * import rules and their canary, types, unused code, sizes, lock, licenses, documents, known
 * vulnerabilities from the registry, then unit tests. With names (`npm run check -- types "house
 * rules"`) it runs only those checks.
 */
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { checkAdvisories } from './checks/advisories.mjs';
import { CHECKS, reportLine, runChecks } from './checks.mjs';
import { runSuite } from './suite.mjs';

const ALL = [...CHECKS, { name: 'known vulnerabilities', run: checkAdvisories }];

/** Returns the checks with these names; exits the process at an unknown name. */
function selectChecks(names) {
  const unknown = names.filter(name => !ALL.some(check => check.name === name));
  if (unknown.length > 0) {
    console.error(
      `Unknown check: ${unknown.join(', ')}. Available checks: ${ALL.map(({ name }) => name).join(', ')}.`,
    );
    process.exit(2);
  }
  return ALL.filter(({ name }) => names.includes(name));
}

const names = process.argv.slice(2);
if (names.length > 0) {
  const { failed } = await runChecks(selectChecks(names));
  process.exit(failed === 0 ? 0 : 1);
}
const checks = await runChecks(ALL);
const startedAtMs = performance.now();
const unit = await runSuite('unit', { timeoutMs: 6 * 60_000 });
console.log(
  reportLine(unit.failed === 0, `unit tests: ${unit.passed} passed, ${unit.failed} failed`, startedAtMs),
);
for (const failure of [...checks.failures, ...unit.failures]) console.log(`FAIL  ${failure}`);
process.exit(checks.failed + unit.failed === 0 ? 0 : 1);

/**
 * `npm run check`: everything that can be said about the tree without starting the product, in about half a minute.
 * Format, lint, import arrows and their canary, types, unused code, sizes, lock, licences, documents, what the registry knows of
 * faults, then unit tests.
 */
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { checkAdvisories } from './checks/advisories.mjs';
import { CHECKS, reportLine, runChecks } from './checks.mjs';
import { runSuite } from './suite.mjs';

const checks = await runChecks([...CHECKS, { name: 'known faults of packages', run: checkAdvisories }]);
const startedAtMs = performance.now();
const unit = await runSuite('unit', { timeoutMs: 6 * 60_000 });
console.log(
  reportLine(unit.failed === 0, `unit tests: ${unit.passed} passed, ${unit.failed} failed`, startedAtMs),
);
for (const failure of [...checks.failures, ...unit.failures]) console.log(`FAIL  ${failure}`);
process.exit(checks.failed + unit.failed === 0 ? 0 : 1);

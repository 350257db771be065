/**
 * The checks that need no running product, in report order: cheap and informative ones first. `npm
 * run check` runs them before the unit tests, `npm test` before everything.
 */
import { performance } from 'node:perf_hooks';
import { checkBoundaries } from './boundaries.mjs';
import { checkCanary } from './boundary-canary.mjs';
import { checkDeadCode } from './checks/dead-code.mjs';
import { checkDependencyList } from './checks/dependency-list.mjs';
import { checkDialect } from './checks/dialect.mjs';
import { checkDocLinks } from './checks/doc-links.mjs';
import { checkFileSizes } from './checks/file-size.mjs';
import { checkFunctionLengths } from './checks/function-length.mjs';
import { checkHouseRules } from './checks/house-rules.mjs';
import { checkLicenses } from './checks/licenses.mjs';
import { checkLint } from './checks/lint.mjs';
import { checkLockAudit } from './checks/lock-audit.mjs';
import { checkLockGaps } from './checks/lock-gaps.mjs';
import { checkPlainEnglish } from './checks/prose/plain-english.mjs';
import { checkSpelling } from './checks/prose/spelling.mjs';
import { checkProseWidth } from './checks/prose/width.mjs';
import { checkScriptSinks } from './checks/script-sinks.mjs';
import { checkShellWords } from './checks/shell-words.mjs';
import { checkTableOwners } from './checks/table-owners.mjs';
import { checkTranslations } from './checks/translations.mjs';
import { checkTypes } from './checks/types.mjs';
import { checkConfiguration } from './configuration.mjs';
import { checkOpenApi } from './openapi.mjs';
import { checkSpecMap } from './spec-map.mjs';
import { emptyResult } from './suite.mjs';

/**
 * The outcome of a check: its problems, or its problems with a note for its line.
 * @typedef {string[] | { problems: string[], note: string }} CheckOutcome
 * @typedef {{ name: string, run: () => CheckOutcome | Promise<CheckOutcome> }} Check
 */

/** @type {Check[]} */
export const CHECKS = [
  { name: 'format and lint', run: checkLint },
  { name: 'import rules', run: checkBoundaries },
  { name: 'import rules: canary', run: checkCanary },
  { name: 'types', run: checkTypes },
  { name: 'unused code and dependencies', run: checkDeadCode },
  { name: 'file sizes', run: checkFileSizes },
  { name: 'function lengths', run: checkFunctionLengths },
  { name: 'house rules', run: checkHouseRules },
  { name: 'TypeScript dialect', run: checkDialect },
  { name: 'plain English', run: checkPlainEnglish },
  { name: 'spelling', run: checkSpelling },
  { name: 'prose width', run: checkProseWidth },
  { name: 'table owners', run: checkTableOwners },
  { name: 'OpenAPI document', run: checkOpenApi },
  { name: 'configuration page', run: checkConfiguration },
  { name: 'script sinks', run: checkScriptSinks },
  { name: 'lockfile: completeness', run: checkLockGaps },
  { name: 'lockfile: sources, hashes, install scripts', run: checkLockAudit },
  { name: 'translations', run: checkTranslations },
  { name: 'translations of the mobile shell', run: checkShellWords },
  { name: 'licenses', run: checkLicenses },
  { name: 'dependency list', run: checkDependencyList },
  { name: 'citations of documents', run: checkDocLinks },
  { name: 'specification map', run: checkSpecMap },
];

/** Returns one line of the report: state, name, seconds. */
export function reportLine(isFine, name, startedAtMs, note = '') {
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1).padStart(6);
  return `${isFine ? 'ok  ' : 'FAIL'} ${seconds} s  ${name}${note ? ` (${note})` : ''}`;
}

/**
 * Runs the checks in sequence and prints a line for each with its problems. Returns how many passed
 * and failed.
 * @param {Check[]} checks
 */
export async function runChecks(checks = CHECKS) {
  const result = emptyResult();
  for (const check of checks) {
    const startedAtMs = performance.now();
    let problems;
    let note = '';
    try {
      const outcome = await check.run();
      ({ problems, note } = Array.isArray(outcome) ? { problems: outcome, note } : outcome);
    } catch (error) {
      problems = [`the check failed to run: ${error.stack ?? error}`];
    }
    const isFine = problems.length === 0;
    console.log(
      reportLine(
        isFine,
        check.name,
        startedAtMs,
        isFine || problems.length === 1 ? note : `${problems.length} problems`,
      ),
    );
    for (const problem of problems) console.log(`${problem}`.replace(/^/gm, '       '));
    result[isFine ? 'passed' : 'failed'] += 1;
    if (!isFine) result.failures.push(`check: ${check.name}`);
  }
  return result;
}

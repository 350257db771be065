/**
 * Known vulnerabilities of the locked packages, as the registry reports them (`npm audit`). Severe
 * ones fail the check; others are only reported. If the registry does not answer, the check says so
 * and passes, so `npm run check` works offline. Not part of `npm test`, whose result must not
 * depend on what is published in the meantime.
 */
import process from 'node:process';
import { runCommand } from '../run-command.mjs';

/** Total timeout for the registry, milliseconds. */
const TIMEOUT_MS = 30_000;
const SEVERE = ['high', 'critical'];

const ARGS = [
  'audit',
  '--json',
  '--package-lock-only',
  '--fetch-retries=0',
  '--fetch-timeout=15000',
  '--loglevel=silent',
];

/**
 * Parses the text of an `npm audit --json` report: `problems`, one for each package with a severe
 * vulnerability of its own, and `note`, a sentence for the line of the check. An invalid report is
 * treated as a registry that did not answer.
 */
export function readAuditReport(text) {
  const nothing = { problems: [], note: 'skipped: the registry did not respond' };
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    return nothing;
  }
  const vulnerabilities = report?.vulnerabilities;
  if (report?.error || typeof vulnerabilities !== 'object' || vulnerabilities === null) return nothing;
  const problems = [];
  let others = 0;
  for (const [name, { via = [] }] of Object.entries(vulnerabilities)) {
    // A string names the package that has the vulnerability; that package is reported separately.
    const own = via.filter(one => typeof one === 'object');
    const severe = own.filter(one => SEVERE.includes(one.severity));
    others += own.length - severe.length;
    for (const { title, range, severity, url } of severe)
      problems.push(`${name} ${range}: ${title} (${severity}, ${url})`);
  }
  return { problems, note: `${problems.length} severe, ${others} other` };
}

/** Queries the registry. Resolves with `{ problems, note }` like readAuditReport. */
export async function checkAdvisories() {
  const npm = process.env.npm_execpath;
  const run = npm
    ? await runCommand(process.execPath, [npm, ...ARGS], { timeoutMs: TIMEOUT_MS })
    : await runCommand('npm', ARGS, { timeoutMs: TIMEOUT_MS });
  return readAuditReport(run.stdout);
}

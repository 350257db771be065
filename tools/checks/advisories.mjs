/**
 * Known faults of the packages in the lock, as the registry tells them (`npm audit`). What is grave fails the check; the
 * rest is told. Without a registry that answers nothing can be said, which is said, and nothing fails: `npm run check`
 * works offline. Not part of `npm test`, whose outcome must not hang on what is published in the meantime.
 */
import process from 'node:process';
import { runCommand } from '../run-command.mjs';

/** The registry gets this long in all, milliseconds. */
const TIMEOUT_MS = 30_000;
const GRAVE = ['high', 'critical'];

const ARGS = [
  'audit',
  '--json',
  '--package-lock-only',
  '--fetch-retries=0',
  '--fetch-timeout=15000',
  '--loglevel=silent',
];

/**
 * What a report of `npm audit --json` (its text) says: `problems`, one for each package with a grave fault of its own, and
 * `note`, a sentence for the line of the check. A report that is none is taken for a registry that did not answer.
 */
export function readAuditReport(text) {
  const nothing = { problems: [], note: 'the registry did not answer: known faults were not looked up' };
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    return nothing;
  }
  const vulnerabilities = report?.vulnerabilities;
  if (report?.error || typeof vulnerabilities !== 'object' || vulnerabilities === null) return nothing;
  const problems = [];
  let slight = 0;
  for (const [name, { via = [] }] of Object.entries(vulnerabilities)) {
    // A text names the package whose fault it is: that one is told by itself.
    const own = via.filter(one => typeof one === 'object');
    const grave = own.filter(one => GRAVE.includes(one.severity));
    slight += own.length - grave.length;
    for (const { title, range, severity, url } of grave)
      problems.push(`${name} ${range}: ${title} (${severity}, ${url})`);
  }
  return { problems, note: `known faults: ${problems.length} grave, ${slight} slight` };
}

/** Asks the registry. Resolves with `{ problems, note }` as readAuditReport does. */
export async function checkAdvisories() {
  const npm = process.env.npm_execpath;
  const run = npm
    ? await runCommand(process.execPath, [npm, ...ARGS], { timeoutMs: TIMEOUT_MS })
    : await runCommand('npm', ARGS, { timeoutMs: TIMEOUT_MS });
  return readAuditReport(run.stdout);
}

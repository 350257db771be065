/**
 * Which files are the project's own, for the checks that read them: tracked ones and new ones that git does not ignore,
 * without the canary, fixtures and the lock. Knows nothing of what any check looks for.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run-command.mjs';

const skipped = /(^|\/)(node_modules|dist|\.cache|fixtures|vectors|boundaries-canary)\//;

/** Paths relative to the root, with forward slashes, sorted. Deleted files that git still lists are left out. */
export function listProjectFiles(base = root) {
  const run = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: base,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (run.status !== 0) throw new Error(`git ls-files failed: ${run.stderr}`);
  const files = run.stdout
    .split('\0')
    .filter(file => file !== '' && !skipped.test(file) && existsSync(path.join(base, file)));
  return [...new Set(files)].sort();
}

/** True for tests, stories and what only they use; product code may be stricter than these. */
export function isTestFile(file) {
  return (
    /\.test\.(tsx?|mjs)$|\.bench\.ts$/.test(file) ||
    /^(apps\/server\/tests|apps\/web\/e2e|apps\/mobile\/tests|packages\/[^/]+\/browser)\//.test(file)
  );
}

/** True for a file of program text that people wrote. */
export function isSourceFile(file) {
  return /\.(ts|tsx|mjs|js|cjs)$/.test(file) && !/\.d\.ts$/.test(file);
}

export function readProjectFile(file, base = root) {
  return readFileSync(path.join(base, file), 'utf8');
}

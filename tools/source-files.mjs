/**
 * Lists the project's own files for the checks that read them: tracked files and new ones that git
 * does not ignore, without the canary, fixtures and the lock. Independent of what any check looks
 * for.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run-command.mjs';

const skipped = /(^|\/)(node_modules|dist|\.cache|fixtures|vectors|boundaries-canary)\//;

/**
 * Returns paths relative to the root, with forward slashes, sorted. Leaves out deleted files that
 * git still lists.
 */
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

/**
 * Reports whether a file is a test, a browser test, or used only by tests. Product code may have
 * stricter rules.
 */
export function isTestFile(file) {
  return (
    /\.test\.(tsx?|mjs)$|\.bench\.ts$/.test(file) ||
    /^(apps\/server\/tests|apps\/web\/e2e|apps\/mobile\/tests|packages\/[^/]+\/browser)\//.test(file)
  );
}

/** Reports whether a file is handwritten source code. */
export function isSourceFile(file) {
  return /\.(ts|tsx|mjs|js|cjs)$/.test(file) && !/\.d\.ts$/.test(file);
}

export function readProjectFile(file, base = root) {
  return readFileSync(path.join(base, file), 'utf8');
}

/**
 * Builds the web client into apps/web/dist when, and only when, one of its inputs has changed. The inputs' hash is kept
 * in apps/web/dist/.inputs, so that a copied or half-written dist is rebuilt and an untouched one costs milliseconds.
 * Runs under Node 18 or newer; the build itself runs under the Node it is handed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** What the bundle is made of, relative to the root. Tests and stories are left out: they never reach the bundle. */
const INPUT_FOLDERS = [
  'apps/web/src',
  'apps/web/public',
  'apps/web/build',
  'packages/contract/src',
  'packages/crypto/src',
  'packages/mail/src',
  'packages/search/src',
  'packages/import/src',
];
const INPUT_FILES = [
  'apps/web/package.json',
  'apps/web/vite.config.ts',
  'apps/web/tsconfig.json',
  'packages/contract/package.json',
  'packages/crypto/package.json',
  'packages/mail/package.json',
  'packages/search/package.json',
  'packages/import/package.json',
  'package-lock.json',
];
const isTest = /\.test\.tsx?$|\.bench\.ts$/;

function* filesUnder(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'fixtures') yield* filesUnder(full);
    } else if (entry.isFile() && !isTest.test(entry.name)) yield full;
  }
}

/** One hash over the names and bytes of everything the bundle is made of, its page at the web room's root included. */
export function hashInputs(root) {
  const hash = createHash('sha256');
  const add = file => {
    hash.update(`${path.relative(root, file).split(path.sep).join('/')}\0`);
    hash.update(createHash('sha256').update(readFileSync(file)).digest());
  };
  for (const file of INPUT_FILES) if (existsSync(path.join(root, file))) add(path.join(root, file));
  const web = path.join(root, 'apps/web');
  if (existsSync(web))
    for (const name of readdirSync(web).sort()) if (name.endsWith('.html')) add(path.join(web, name));
  for (const folder of INPUT_FOLDERS) for (const file of filesUnder(path.join(root, folder))) add(file);
  return hash.digest('hex');
}

/** Builds if needed. Returns null when the bundle is current, else one sentence saying what went wrong. */
export function ensureWebBuild(root, nodeBin) {
  const dist = path.join(root, 'apps/web/dist');
  const stamp = path.join(dist, '.inputs');
  const wanted = hashInputs(root);
  const isCurrent =
    existsSync(stamp) &&
    existsSync(path.join(dist, 'index.html')) &&
    readFileSync(stamp, 'utf8').trim() === wanted;
  if (isCurrent) return null;
  if (!existsSync(path.join(root, 'apps/web/index.html')))
    return 'apps/web/index.html is missing: nothing to build.';

  console.log('Building the web client');
  rmSync(stamp, { force: true });
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const run = spawnSync(nodeBin, [vite, 'build', '--logLevel', 'warn'], {
    cwd: path.join(root, 'apps/web'),
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
  if (run.status !== 0) return 'The web client could not be built; the message of vite is above.';
  mkdirSync(dist, { recursive: true });
  // Hashed again: a file saved while vite ran must lead to another build next time.
  if (hashInputs(root) === wanted) writeFileSync(stamp, `${wanted}\n`);
  return null;
}

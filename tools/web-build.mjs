/**
 * Builds the web client into apps/web/dist only when one of its inputs has changed. The hash of the
 * inputs is stored in apps/web/dist/.inputs, so that a copied or half-written dist is rebuilt and
 * an unchanged one costs milliseconds. Runs under Node 18 or newer; the build itself runs under the
 * given Node.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { HASH_LIST_FILE, makeHashList } from './hash-list.mjs';
import { SBOM_FILE, writeSbomText } from './sbom.mjs';

/** Inputs of the bundle, relative to the root. Tests are left out: they never reach the bundle. */
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
  'tools/hash-list.mjs',
  'tools/sbom.mjs',
  'tools/web-build.mjs',
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

/**
 * Returns every input file of the bundle, relative to the root with `/`, including the page at the
 * web workspace's root.
 */
export function buildInputs(root) {
  const files = INPUT_FILES.filter(file => existsSync(path.join(root, file)));
  const web = path.join(root, 'apps/web');
  if (existsSync(web))
    for (const name of readdirSync(web).sort()) if (name.endsWith('.html')) files.push(`apps/web/${name}`);
  for (const folder of INPUT_FOLDERS)
    for (const file of filesUnder(path.join(root, folder)))
      files.push(path.relative(root, file).split(path.sep).join('/'));
  return files;
}

/** Returns one hash over the names and bytes of all bundle inputs. */
export function hashInputs(root) {
  const hash = createHash('sha256');
  for (const file of buildInputs(root)) {
    hash.update(`${file}\0`);
    hash.update(
      createHash('sha256')
        .update(readFileSync(path.join(root, file)))
        .digest(),
    );
  }
  return hash.digest('hex');
}

/**
 * Builds into apps/web/dist, and writes the bill of materials and the hash list there. Returns
 * null, or one sentence saying what went wrong.
 */
export function buildWeb(root, nodeBin) {
  const web = path.join(root, 'apps/web');
  const inputs = hashInputs(root);
  const run = spawnSync(
    nodeBin,
    [path.join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    {
      cwd: web,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
      shell: process.platform === 'win32',
    },
  );
  if (run.status !== 0) return 'The build of the web client failed, see above.';
  const dist = path.join(web, 'dist');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  writeFileSync(path.join(dist, SBOM_FILE), writeSbomText(root));
  writeFileSync(path.join(dist, HASH_LIST_FILE), makeHashList(dist, version, inputs));
  return null;
}

/**
 * Builds if needed. Returns null when the bundle is current, otherwise one sentence saying what
 * went wrong.
 */
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
  const failure = buildWeb(root, nodeBin);
  if (failure !== null) return failure;
  // Hashes again: a file saved while Vite ran must trigger another build next time.
  if (hashInputs(root) === wanted) writeFileSync(stamp, `${wanted}\n`);
  return null;
}

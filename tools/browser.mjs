/**
 * Finds a Chromium and a Firefox for the browser tests, and installs them on Debian as root, with
 * Caddy, the certificate authority of integration tests.
 * Downloads only from the system's package source and never fails a run: without a browser its
 * tests are skipped and reported as skipped.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const FIREFOX_NAMES = ['firefox-esr', 'firefox'];
const FIREFOX_PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
];

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findIn(env, names, places, isUsable) {
  const folders = [...(env.PATH ?? '').split(path.delimiter).filter(Boolean), ...places];
  for (const name of names) {
    for (const folder of folders) {
      const file = /Contents\/MacOS\//.test(folder) ? folder : path.join(folder, name);
      if (isUsable(file)) return file;
    }
  }
  return null;
}

/**
 * Returns the path of a Chromium, or null. CHROMIUM_PATH takes precedence; if it is set and wrong,
 * nothing else is tried.
 */
export function findBrowser(env = process.env, isUsable = isExecutable) {
  if (env.CHROMIUM_PATH) return isUsable(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : null;
  return findIn(env, NAMES, PLACES, isUsable);
}

/** Returns the path of a Firefox, or null, like `findBrowser`; FIREFOX_PATH takes precedence. */
export function findFirefox(env = process.env, isUsable = isExecutable) {
  if (env.FIREFOX_PATH) return isUsable(env.FIREFOX_PATH) ? env.FIREFOX_PATH : null;
  return findIn(env, FIREFOX_NAMES, FIREFOX_PLACES, isUsable);
}

/**
 * Returns the headless shell that Debian ships beside a Chromium, or null: the same engine without
 * windows, in which a page costs a third less.
 */
export function findShell(chromium, isUsable = isExecutable) {
  const file = `${chromium}-headless-shell`;
  return isUsable(file) ? file : null;
}

const isDebianRoot = () =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');

/** Maximum wait for the package lists when the tests can also run without the requested package. */
const LISTS_MS = 60_000;

function apt(args, timeout) {
  const { status } = spawnSync('apt-get', ['-qq', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    ...(timeout === undefined ? {} : { timeout }),
  });
  return status === 0;
}

const install = name => apt(['install', '-y', '--no-install-recommends', name]);

/** Installs a package without which the tests run too; fetches the package lists only if needed. */
function installOptional(name) {
  if (!install(name) && apt(['update'], LISTS_MS)) install(name);
}

/**
 * Installs Debian's own Chromium headless shell if possible. Without it the tests run in Chromium
 * itself.
 */
function ensureShell(chromium) {
  if (chromium !== '/usr/bin/chromium' || findShell(chromium) || !isDebianRoot()) return;
  console.log("Installing Chromium's shell from Debian, in which browser stories are quicker");
  installOptional('chromium-headless-shell');
}

/**
 * Finds a Chromium, or installs Debian's once if possible. Returns its path, or why there is none.
 */
export function ensureBrowser() {
  const found = findBrowser();
  if (found) {
    if (!process.env.CHROMIUM_PATH) ensureShell(found);
    return { path: found, message: '' };
  }
  const none =
    'No Chromium was found (set CHROMIUM_PATH, or install the package chromium): browser stories will be skipped.';
  if (process.env.CHROMIUM_PATH)
    return { path: null, message: `CHROMIUM_PATH is not executable: browser stories will be skipped.` };
  if (!isDebianRoot()) return { path: null, message: none };
  console.log('Installing Chromium from Debian for the browser stories');
  apt(['update']);
  install('chromium');
  const installed = findBrowser();
  if (!installed) return { path: null, message: none };
  ensureShell(installed);
  return { path: installed, message: '' };
}

/** Finds a Firefox, or installs Debian's once if possible; like `ensureBrowser`. */
export function ensureFirefox() {
  const found = findFirefox();
  if (found) return { path: found, message: '' };
  const none =
    'No Firefox was found (set FIREFOX_PATH, or install the package firefox-esr): Firefox stories will be skipped.';
  if (process.env.FIREFOX_PATH)
    return { path: null, message: 'FIREFOX_PATH is not executable: Firefox stories will be skipped.' };
  if (!isDebianRoot()) return { path: null, message: none };
  console.log('Installing Firefox from Debian for the Firefox stories');
  installOptional('firefox-esr');
  const installed = findFirefox();
  return { path: installed, message: installed ? '' : none };
}

/** Installs Caddy, which integration tests use as a certificate authority, if possible. */
export function ensureCaddy(env = process.env, isUsable = isExecutable) {
  if (findIn(env, ['caddy'], PLACES, isUsable) || !isDebianRoot()) return;
  console.log('Installing Caddy from Debian, the certificate authority of the tests');
  // Its package would start a server at ports 80 and 443.
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    installOptional('caddy');
  } finally {
    if (isOurs) rmSync(policy, { force: true });
  }
}

/**
 * Finds a Chromium for the browser stories, and on Debian as root installs one. Never downloads a browser from anywhere
 * but the system's own package source, and never fails a run: without a browser the stories are skipped and counted so.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
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

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a Chromium, or null. CHROMIUM_PATH wins, and when it is set and wrong nothing else is tried. */
export function findBrowser(env = process.env, isUsable = isExecutable) {
  if (env.CHROMIUM_PATH) return isUsable(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : null;
  const folders = [...(env.PATH ?? '').split(path.delimiter).filter(Boolean), ...PLACES];
  for (const name of NAMES) {
    for (const folder of folders) {
      const file = /Contents\/MacOS\//.test(folder) ? folder : path.join(folder, name);
      if (isUsable(file)) return file;
    }
  }
  return null;
}

/**
 * The shell that Debian has beside a Chromium: the same engine without windows, in which a page costs a third less. Null where
 * there is none.
 */
export function findShell(chromium, isUsable = isExecutable) {
  const file = `${chromium}-headless-shell`;
  return isUsable(file) ? file : null;
}

const isDebianRoot = () =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');

/** Longest wait for the lists of packages, where stories would run without what is asked for too. */
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

/** Installs the shell of Debian's own Chromium where that is possible. Stories run in Chromium itself without it. */
function ensureShell(chromium) {
  if (chromium !== '/usr/bin/chromium' || findShell(chromium) || !isDebianRoot()) return;
  console.log("Installing Chromium's shell from Debian, in which browser stories are quicker");
  const name = 'chromium-headless-shell';
  if (!install(name) && apt(['update'], LISTS_MS)) install(name);
}

/** Finds a Chromium, or installs Debian's once when that is possible. Returns its path, or why there is none. */
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

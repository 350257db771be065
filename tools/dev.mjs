/**
 * `npm run dev`: runs the server, restarted when its files change, and Vite's development server
 * for the web client, which proxies API calls to it. Ctrl+C stops both, and when one exits the
 * other is stopped. Touches only its own children.
 *
 * Open http://localhost:5173. New accounts need no proof of work here unless KEYFOLD_CAPTCHA_COST
 * is set. Two accounts with some mail are created if they do not exist; their password is printed.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { bin, endGroup, root } from './run-command.mjs';

const PARTS = [
  {
    name: 'server',
    args: [
      '--disable-warning=ExperimentalWarning',
      '--watch',
      '--watch-preserve-output',
      'apps/server/src/main.ts',
    ],
    cwd: root,
  },
  { name: 'web', args: [path.join(root, 'node_modules/vite/bin/vite.js')], cwd: path.join(root, 'apps/web') },
];

let isEnding = false;
const running = new Set();

function endAll(code) {
  if (isEnding) return;
  isEnding = true;
  process.exitCode = code;
  for (const child of running) endGroup(child, 10_000);
}

for (const { name, args, cwd } of PARTS) {
  const child = spawn(bin('node'), args, {
    cwd,
    env: { KEYFOLD_CAPTCHA_COST: '0', ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32',
  });
  running.add(child);
  const print = (stream, part) =>
    stream.write(part.toString('utf8').replace(/^(?=.)/gm, `${name.padEnd(6)} | `));
  child.stdout.on('data', part => print(process.stdout, part));
  child.stderr.on('data', part => print(process.stderr, part));
  child.once('error', error => {
    console.error(`${name} could not be started: ${error.message}`);
    running.delete(child);
    endAll(1);
  });
  child.once('exit', code => {
    running.delete(child);
    if (!isEnding) console.error(`${name} exited with code ${code}; stopping the other processes`);
    endAll(code ?? 1);
  });
}

const baseUrl = `http://localhost:${process.env.PORT ?? '8000'}`;
const isReady = () =>
  fetch(`${baseUrl}/ready`).then(
    answer => answer.ok,
    () => false,
  );

/** Creates the development accounts when the server is ready. */
async function seedPeople() {
  while (!isEnding && !(await isReady())) await new Promise(resolve => setTimeout(resolve, 500));
  if (isEnding) return;
  const args = [
    '--disable-warning=ExperimentalWarning',
    'packages/testing/src/seed.ts',
    baseUrl,
    process.env.SMTP_PORT ?? '2525',
  ];
  const child = spawn(bin('node'), args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  child.once('error', error => console.error(`could not create the development accounts: ${error.message}`));
}

void seedPeople();

process.on('SIGINT', () => endAll(0));
process.on('SIGTERM', () => endAll(0));

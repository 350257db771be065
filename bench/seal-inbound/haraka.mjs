/**
 * The second peer: Haraka from npm, installed under .cache/bench, with a queue plugin of a few
 * lines that writes each message into a maildir and flushes it to disk before acknowledging it.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const cache = path.resolve(import.meta.dirname, '../../.cache/bench/haraka');
const VERSION = '3.3.4';
const DOMAIN = 'keyfold.test';

const PLUGIN = `
const fs = require('node:fs/promises');
const path = require('node:path');
let count = 0;
exports.register = function () { this.register_hook('queue', 'keep'); };
exports.keep = function (next, connection) {
  connection.transaction.message_stream.get_data(data => {
    Promise.all(connection.transaction.rcpt_to.map(async rcpt => {
      const box = path.join(process.env.BENCH_MAIL, rcpt.user);
      const name = process.pid + '.' + count++;
      const file = await fs.open(path.join(box, 'tmp', name), 'wx');
      await file.writeFile(data);
      await file.sync();
      await file.close();
      await fs.rename(path.join(box, 'tmp', name), path.join(box, 'new', name));
    })).then(() => next(OK), error => next(DENYSOFT, error.message));
  });
};
`;

function install() {
  if (existsSync(path.join(cache, 'node_modules/Haraka/bin/haraka'))) return;
  mkdirSync(cache, { recursive: true });
  // Versions of these two that every mirror of the registry has.
  const overrides = { 'encoding-japanese': '2.2.0', libmime: '5.3.7' };
  writeFileSync(path.join(cache, 'package.json'), JSON.stringify({ private: true, overrides }));
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, `Haraka@${VERSION}`], { cwd: cache, stdio: 'ignore' });
}

/** Returns why this peer is unavailable here, or null. */
export function findHarakaProblem() {
  try {
    install();
    return null;
  } catch (error) {
    return `Haraka could not be installed: ${error.message.split('\n')[0]}`;
  }
}

/** Starts Haraka in one process with the requested number of mailboxes. */
export async function startHaraka({ accounts, port }) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kf-haraka-'));
  const mail = path.join(home, 'mail');
  const users = Array.from({ length: accounts }, (_, index) => `user${index}`);
  for (const folder of [
    'config',
    'plugins',
    ...users.flatMap(user => [`mail/${user}/tmp`, `mail/${user}/new`]),
  ])
    mkdirSync(path.join(home, folder), { recursive: true });
  const files = {
    'config/smtp.ini': `listen=127.0.0.1:${port}\nnodes=0\n`,
    'config/plugins': 'rcpt_to.in_host_list\nbench_maildir\n',
    'config/host_list': `${DOMAIN}\n`,
    'config/me': `mail.${DOMAIN}\n`,
    'config/loglevel': 'LOGERROR\n',
    'plugins/bench_maildir.js': PLUGIN,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(home, name), text);
  // Haraka does not start a session without this file.
  const defaults = path.join(cache, 'node_modules/Haraka/config/connection.ini');
  copyFileSync(defaults, path.join(home, 'config/connection.ini'));
  const child = spawn(process.execPath, [path.join(cache, 'node_modules/Haraka/bin/haraka'), '-c', home], {
    env: { ...process.env, BENCH_MAIL: mail },
    stdio: process.env.BENCH_VERBOSE ? 'inherit' : 'ignore',
  });
  return {
    port,
    pid: child.pid,
    recipients: users.map(user => `${user}@${DOMAIN}`),
    countStored: async () =>
      users.reduce((sum, user) => sum + readdirSync(path.join(mail, user, 'new')).length, 0),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = new Promise(resolve => child.once('exit', resolve));
        child.kill('SIGKILL');
        await gone;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

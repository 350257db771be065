// Operator commands that find no service, or one that belongs to another system account: each fails
// with a one-line error and creates nothing.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
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
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runAdmin } from '../src/admin.ts';
import { loadMasterKey } from '../src/base/master-key.ts';
import { readConfig } from '../src/config/config.ts';
import { createEmptyDatabase } from './harness/database.ts';

const ADMIN = path.resolve(import.meta.dirname, '../src/admin.ts');
const MAIN = path.resolve(import.meta.dirname, '../src/main.ts');
/** Every command of the tool with valid arguments, except those that read or restore a backup. */
const COMMANDS = [
  ['grant', 'super', 'ann@keyfold.test'],
  ['revoke', 'ann@keyfold.test'],
  ['list'],
  ['set-plan', 'pro', 'ann@keyfold.test'],
  ['reset-second-factor', 'ann@keyfold.test'],
  ['release-mail', 'ann@keyfold.test'],
  ['dkim'],
  ['affiliate', 'list'],
  ['invitation', 'list'],
  ['backup', 'backup'],
  ['base-backup', 'backup'],
  ['restore-containers'],
  ['move-database', 'postgres://127.0.0.1:1/keyfold'],
];

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-admin-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a program of the server in a folder of its own, with only the given settings. */
function runIn(cwd: string, file: string, args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', file, ...args],
    {
      cwd,
      env: { PATH: process.env.PATH ?? '', KEYFOLD_LOG: 'silent', ...env },
      encoding: 'utf8',
      input: '',
    },
  );
  return { status, said: `${stdout}${stderr}` };
}
const emptyFolder = (): string => mkdtempSync(path.join(root, 'folder-'));

/** Does the same within this process, which avoids a second of startup time. */
async function runHere(cwd: string, args: readonly string[]) {
  const said: string[] = [];
  const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
  for (const spy of spies) spy.mockImplementation(text => said.push(`${text}\n`));
  try {
    return {
      status: await runAdmin(args, () => readConfig({ KEYFOLD_DATA: path.join(cwd, 'data') })),
      said: said.join(''),
    };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

test('no command creates a service where none exists', async () => {
  const usage = (await runHere(root, [])).said.match(/^ {2}[a-z-]+/gm)?.map(word => word.trim());
  expect(
    new Set([...COMMANDS.map(([name]) => name), 'verify-backup', 'restore', 'restore-to', 'archive-rest']),
  ).toEqual(new Set(usage));
  for (const [index, words] of COMMANDS.entries()) {
    const cwd = emptyFolder();
    expect(index === 0 ? runIn(cwd, ADMIN, words) : await runHere(cwd, words), words[0]).toEqual({
      status: 1,
      said: `${path.join(cwd, 'data')} contains no Keyfold service. Run this command with the settings of the service (KEYFOLD_DATA and the others), or as keyfold COMMAND\n`,
    });
    expect(readdirSync(cwd)).toEqual([]);
  }
  for (const words of [
    ['verify-backup', 'backup'],
    ['restore', 'backup'],
    ['restore-to', 'latest', 'backup', 'archive'],
    ['archive-rest', 'old', 'archive'],
  ]) {
    const cwd = emptyFolder();
    const { status, said } = await runHere(cwd, words);
    expect([status, said.trim().split('\n').length], words[0]).toEqual([1, 1]);
    expect(readdirSync(cwd)).toEqual([]);
  }
});

test('a database without a service is left unchanged', async () => {
  const { url, drop } = await createEmptyDatabase();
  const cwd = emptyFolder();
  loadMasterKey(path.join(cwd, 'data'));
  const { status, said } = runIn(cwd, ADMIN, ['list'], { DATABASE_URL: url });
  expect([status, said]).toEqual([
    1,
    'The database of DATABASE_URL contains no Keyfold service. Start the service first\n',
  ]);
  await drop();
});

test.runIf(process.getuid?.() === 0)('a database owned by another account is not touched', () => {
  const cwd = emptyFolder();
  const database = path.join(cwd, 'data/postgres');
  mkdirSync(database, { recursive: true });
  writeFileSync(path.join(database, 'PG_VERSION'), '18\n');
  chownSync(database, 7, 7);
  const { said: name } = { said: spawnSync('id', ['-nu', '7'], { encoding: 'utf8' }).stdout.trim() };
  for (const [file, words] of [
    [ADMIN, ['list']],
    [MAIN, []],
  ] as const)
    expect(runIn(cwd, file, words)).toEqual({
      status: 1,
      said: `The database in ${database} belongs to ${name}: run as ${name}\n`,
    });
  expect(readdirSync(path.join(cwd, 'data'))).toEqual(['postgres']);
  chmodSync(cwd, 0o755);
  expect(existsSync(path.join(cwd, 'data/keyfold.pid'))).toBe(false);
});

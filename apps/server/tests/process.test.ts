// The service from the operator's point of view: the process of npm start, its output, its exit,
// and the admin tool.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@keyfold/testing/product';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestClient } from './harness/client.ts';
import { createTestKeys } from './harness/users.ts';

const SOURCE = path.resolve(import.meta.dirname, '../src');
const ROOT = path.resolve(import.meta.dirname, '../../..');

type Run = {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
};

const running: ChildProcess[] = [];

const run = (file: string, env: Record<string, string>, args: readonly string[] = []): Run =>
  runProgram(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(SOURCE, file), ...args],
    env,
  );

/**
 * Runs the script of package.json as npm does: through a shell, the only process that npm can
 * signal.
 */
function runStartScript(env: Record<string, string>): Run {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const bin = path.join(ROOT, 'node_modules/.bin');
  return runProgram('sh', ['-c', scripts.start], { ...env, PATH: `${bin}:${process.env.PATH}` });
}

function runProgram(program: string, args: readonly string[], env: Record<string, string>): Run {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: os.tmpdir(),
      KEYFOLD_LOG: 'error',
      METRICS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  child.stdout?.on('data', chunk => (output += chunk));
  child.stderr?.on('data', chunk => (output += chunk));
  return {
    child,
    output: () => output,
    ended: new Promise(resolve => child.once('close', (code, signal) => resolve(code ?? signal))),
  };
}

async function until(process: Run, text: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!process.output().includes(text)) {
    if (Date.now() > deadline || process.child.exitCode !== null) {
      throw new Error(`no "${text}" in: ${process.output()}`);
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

let dataDir: string;
let env: Record<string, string>;
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-run-'));
  env = {
    KEYFOLD_DATA: dataDir,
    KEYFOLD_HOST: '127.0.0.1',
    PORT: String(await findFreePort()),
    SMTP_PORT: String(await findFreePort()),
    KEYFOLD_CAPTCHA_COST: '0',
    KEYFOLD_WELCOME: 'off',
  };
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const client = () => createTestClient(`http://127.0.0.1:${env.PORT}`);

test('the server prints its addresses, survives a kill and shuts down cleanly', async () => {
  const first = run('main.ts', env);
  await until(first, 'Press Ctrl+C to stop.');
  expect(first.output()).toContain(`http://localhost:${env.PORT}/`);
  expect(first.output()).toContain(`port ${env.SMTP_PORT} (SMTP), for keyfold.test`);
  expect(first.output()).toContain('npm run admin -- grant super');
  await client().sign_up.register({
    name: 'Peggy',
    username: 'peggy',
    domain: 'keyfold.test',
    password: 'cd'.repeat(32),
    captcha: '',
    main_key: (await createTestKeys()).mainKey,
  });

  const grant = run('admin.ts', env, ['grant', 'super', 'Peggy@keyfold.test']);
  expect(await grant.ended).toBe(0);
  expect(grant.output()).toContain('now has admin level super');
  const again = run('admin.ts', env, ['grant', 'super', 'peggy@keyfold.test']);
  expect(await again.ended).toBe(0);
  expect(again.output().trim()).toBe('peggy@keyfold.test already has admin level super.');

  const second = run('main.ts', { ...env, PORT: '0', SMTP_PORT: '0' });
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain('is used by another Keyfold process');

  first.child.kill('SIGKILL');
  await first.ended;
  const third = runStartScript(env);
  await until(third, 'Keyfold is running.');
  const peggy = client();
  await peggy.sign_in.login({ email: 'peggy@keyfold.test', password: 'cd'.repeat(32) });
  expect((await peggy.admin_access.admin_status({})).data).toEqual({ is_admin: true, admin_level: 'super' });

  const stoppedAt = performance.now();
  third.child.kill('SIGTERM');
  // npm forwards the same signal again; this does not count as a second one.
  third.child.kill('SIGTERM');
  expect(await third.ended).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(10_000);
  expect(third.output()).not.toContain('"level":50');
});

test('the admin tool works while the service is stopped', async () => {
  const list = run('admin.ts', env, ['list']);
  expect(await list.ended).toBe(0);
  expect(list.output().trim()).toBe('super\tpeggy@keyfold.test');
  const revoke = run('admin.ts', env, ['revoke', 'peggy@keyfold.test']);
  expect(await revoke.ended).toBe(1);
  expect(revoke.output().trim()).toBe(
    'This is the last super admin. Appoint another one first (grant super ADDRESS).',
  );
  const nobody = run('admin.ts', env, ['grant', 'readonly', 'nobody@keyfold.test']);
  expect(await nobody.ended).toBe(1);
  expect(nobody.output().trim()).toBe('No account has this address.');
  const reset = run('admin.ts', env, ['reset-second-factor', 'Peggy@keyfold.test']);
  expect(await reset.ended).toBe(0);
  expect(reset.output().trim()).toBe('Peggy@keyfold.test has no second factor.');
  const unknown = run('admin.ts', env, ['reset-second-factor', 'nobody@keyfold.test']);
  expect(await unknown.ended).toBe(1);
  expect(unknown.output().trim()).toBe('No account has this address.');
  const folder = path.join(dataDir, 'refused');
  const refused = run('admin.ts', env, ['base-backup', folder]);
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain('There is no archive. Set KEYFOLD_WAL_ARCHIVE');
  // Partial files are removed, so that the next attempt can use the folder.
  expect(readdirSync(folder)).toEqual([]);
  const dkim = run('admin.ts', env, ['dkim']);
  expect(await dkim.ended).toBe(0);
  expect(dkim.output()).toMatch(/^keyfold\.test\. MX 10 mail\.keyfold\.test\.$/m);
  expect(dkim.output()).toContain(
    '_smtp._tls.keyfold.test. TXT "v=TLSRPTv1; rua=mailto:tlsrpt@keyfold.test"',
  );
  expect(dkim.output()).toMatch(/^\w+\._domainkey\.keyfold\.test\. TXT ("[^"]{1,255}" ?)+$/m);
});

describe('a clear message reports', () => {
  test('an unknown or incomplete command', async () => {
    const commands = [
      { args: ['grant', 'king', 'peggy@keyfold.test'], why: 'Wrong arguments for grant.' },
      { args: ['reset-second-factor'], why: 'Wrong arguments for reset-second-factor.' },
      { args: ['toString'], why: 'Unknown command "toString".' },
    ];
    const about = run('admin.ts', env, ['restore', '--help']);
    expect(await about.ended).toBe(0);
    expect(about.output()).toMatch(
      /^Usage: [^\n]+\n {2}restore DIR [^\n]+\n +restore a backup into an empty database[^\n]+\n$/,
    );
    const helps = [[], ['help']].map(args => run('admin.ts', env, args));
    const wrongs = commands.map(({ args, why }) => ({ wrong: run('admin.ts', env, args), why }));
    for (const { wrong, why } of wrongs) {
      expect(await wrong.ended).toBe(2);
      expect(wrong.output()).toMatch(/^Usage: npm run admin/);
      expect(wrong.output().trim().split('\n').at(-1)).toBe(why);
      expect(wrong.output().split('\n').length < 6).toBe(/^Wrong arguments/.test(why));
    }
    for (const help of helps) {
      expect(await help.ended).toBe(0);
      expect(help.output()).toMatch(/^Usage: npm run admin/);
    }
  });

  test('an invalid configuration', async () => {
    const wrong = run('main.ts', { ...env, PORT: 'x', KEYFOLD_ROLES: 'y' });
    expect(await wrong.ended).toBe(1);
    expect(wrong.output()).toMatch(
      /^The configuration cannot be used:\n {2}PORT: .*\n {2}KEYFOLD_ROLES: .*\n$/,
    );
  });

  test('a port in use', async () => {
    const port = await findFreePort();
    const holder = createServer().listen(port, '127.0.0.1');
    try {
      const blocked = run('main.ts', { ...env, PORT: String(port) });
      expect(await blocked.ended).toBe(1);
      expect(blocked.output()).toBe(
        `Port ${port} is in use. Stop the process that uses it, or set PORT to another port.\n`,
      );
    } finally {
      holder.close();
    }
  });
});

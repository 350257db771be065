// Poolers between the server and PostgreSQL: the server starts with poolers that the documentation
// allows and refuses the rest. Uses a real PgBouncer if one is on the PATH.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { createLogger } from '../base/logger.ts';
import { createPool } from './pool.ts';
import { requireOwnConnections } from './pooler.ts';

const logger = createLogger('silent');
let database: TestDatabase;
let socketDir: string;
let name: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ host: socketDir, database: name } = database.connection as { host: string; database: string });
});
afterAll(() => database.drop());

/** Returns the names of the parameters in a client's startup packet. */
const startupOf = (bytes: Buffer): string[] =>
  bytes
    .subarray(8)
    .toString('utf8')
    .split('\0')
    .filter((_, index) => index % 2 === 0)
    .filter(Boolean);

/**
 * Relays TCP to the test's PostgreSQL, which listens only on a socket; `asked` collects the
 * clients' startup parameters.
 */
async function startRelay(): Promise<{ port: number; asked: string[]; close: () => void }> {
  const asked: string[] = [];
  const relay = createServer(client => {
    const server = connect(path.join(socketDir, '.s.PGSQL.5432'));
    client.once('data', (first: Buffer) => asked.push(...startupOf(first)));
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>(done => relay.listen(0, '127.0.0.1', done));
  return { port: (relay.address() as AddressInfo).port, asked, close: () => relay.close() };
}

test('connections send no startup parameters that PgBouncer refuses, and statements still time out', async () => {
  const { port, asked, close } = await startRelay();
  const pool = createPool({ connectionString: `postgres://keyfold@127.0.0.1:${port}/${name}` }, logger, 2);
  try {
    const { rows } = await pool.query('show statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '30s' }]);
    // https://www.pgbouncer.org/config.html, ignore_startup_parameters: PgBouncer accepts these
    // without that setting.
    const taken = ['user', 'database', 'client_encoding', 'application_name'];
    expect(asked.filter(parameter => !taken.includes(parameter))).toEqual([]);
  } finally {
    await pool.end();
    close();
  }
});

test('a direct PostgreSQL connection is accepted', async () => {
  await requireOwnConnections(database.connection);
});

test("a pooler that swaps clients' connections is refused in one line", async () => {
  const shared = new pg.Client({ ...database.connection });
  await shared.connect();
  try {
    const open = async () => ({ query: shared.query.bind(shared), end: async () => {} });
    const refusal = await requireOwnConnections(database.connection, open as never).catch(String);
    expect(refusal).toMatch(/^UnsupportedPooler: .*pool_mode = session[^\n]*$/);
  } finally {
    await shared.end();
  }
});

const hasPgBouncer = (() => {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasPgBouncer)('with PgBouncer', () => {
  const withPgBouncer = async (mode: string, work: (url: string) => Promise<void>): Promise<void> => {
    const relay = await startRelay();
    const dir = mkdtempSync(path.join(os.tmpdir(), 'kf-pgb-'));
    chmodSync(dir, 0o777);
    const users = path.join(dir, 'users');
    writeFileSync(users, '"keyfold" ""\n');
    const settings = path.join(dir, 'pgbouncer.ini');
    writeFileSync(
      settings,
      `[databases]\n${name} = host=127.0.0.1 port=${relay.port} dbname=${name} user=keyfold\n[pgbouncer]\nlisten_addr =\nunix_socket_dir = ${dir}\nlisten_port = 6432\nauth_type = any\nauth_file = ${users}\npool_mode = ${mode}\ndefault_pool_size = 60\n`,
    );
    const args = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const bouncer = spawn('pgbouncer', [...args, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      await new Promise<void>((up, down) => {
        let said = '';
        bouncer.stderr.on('data', bytes => {
          said += bytes;
          if (/process up/.test(said)) up();
        });
        bouncer.once('exit', () => down(new Error(said)));
      });
      await work(`postgres://keyfold@localhost:6432/${name}?host=${encodeURIComponent(dir)}`);
    } finally {
      bouncer.kill('SIGTERM');
      relay.close();
      rmSync(dir, { recursive: true, force: true });
    }
  };

  test('the documented pool mode is accepted', () =>
    withPgBouncer('session', async connectionString => {
      const connection = { connectionString };
      await requireOwnConnections(connection);
      const pool = createPool(connection, logger, 4);
      try {
        expect((await pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '30s' }]);
      } finally {
        await pool.end();
      }
    }));

  test.each(['transaction', 'statement'])('pooling by %s is refused', mode =>
    withPgBouncer(mode, async connectionString => {
      await expect(requireOwnConnections({ connectionString })).rejects.toThrow('pool_mode = session');
    }),
  );
});

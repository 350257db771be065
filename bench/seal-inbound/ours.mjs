/**
 * Keyfold's side of the seal-inbound benchmark: the whole service as `npm start` runs it, with its
 * own PostgreSQL and fsync on, on an empty data directory, with the requested number of accounts.
 * Account rows are written directly; keys are real.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createIdentity, lockVault } from '../../packages/crypto/src/vault.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { Client } = createRequire(path.join(root, 'apps/server/package.json'))('pg');
const DOMAIN = 'keyfold.test';

async function addAccounts(dataDir, count) {
  const { socketDirOf } = await import('../../apps/server/src/db/embedded.ts');
  const database = new Client({
    host: socketDirOf(path.join(dataDir, 'postgres')),
    user: 'keyfold',
    database: 'postgres',
  });
  await database.connect();
  const addresses = [];
  for (let index = 0; index < count; index++) {
    const address = `user${index}@${DOMAIN}`;
    const mainKey = JSON.stringify(await lockVault(randomBytes(32), await createIdentity()));
    const id = randomUUID();
    await database.query(
      `insert into users (id, kdf_email, email, name, login_hash, main_key) values ($1, $2, $2, 'Load', '', $3)`,
      [id, address, mainKey],
    );
    await database.query('insert into addresses values ($1, $2, true)', [address, id]);
    await database.query('insert into mailboxes (user_id) values ($1)', [id]);
    addresses.push(address);
  }
  return { database, addresses };
}

/** Starts the service; `dnsServer` answers for the senders' domains. */
export async function startOurs({ accounts, port, dnsServer }) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-bench-'));
  const child = spawn(
    path.join(root, 'node_modules/.bin/node'),
    [
      '--disable-warning=ExperimentalWarning',
      ...(process.env.BENCH_NODE_ARGS?.split(' ') ?? []),
      path.join(root, 'apps/server/src/main.ts'),
    ],
    {
      env: {
        ...process.env,
        PORT: '0',
        METRICS_PORT: '0',
        SMTP_PORT: String(port),
        KEYFOLD_DOMAINS: DOMAIN,
        KEYFOLD_DATA: dataDir,
        DNS_SERVERS: dnsServer,
        KEYFOLD_LOG: 'error',
        DATABASE_URL: '',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const baseUrl = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', text => {
      said += text;
      if (said.includes('is running')) resolve(/http:\/\/[^\s/]+:\d+/.exec(said)?.[0]);
    });
    child.once('exit', code => reject(new Error(`the service exited with code ${code}`)));
  });
  const { database, addresses } = await addAccounts(dataDir, accounts);
  return {
    port,
    baseUrl,
    database,
    pid: child.pid,
    recipients: addresses,
    countStored: async () => Number((await database.query('select count(*) from mails')).rows[0].count),
    stop: async () => {
      await database.end();
      if (child.exitCode === null && child.signalCode === null) {
        const gone = new Promise(resolve => child.once('exit', resolve));
        child.kill('SIGTERM');
        await gone;
      }
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

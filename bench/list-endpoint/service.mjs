/**
 * The service for the list-endpoint benchmark: as `npm start` runs it, HTTP only, with its own
 * PostgreSQL. The data directory is kept between runs, because a large mailbox takes a minute to
 * write.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { socketDirOf } from '../../apps/server/src/db/embedded.ts';
import { createTestClient } from '../../apps/server/tests/harness/client.ts';
import { registerTestUser } from '../../apps/server/tests/harness/users.ts';
import { fillBox, settle } from './boxes.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const { Client, Pool } = createRequire(path.join(root, 'apps/server/package.json'))('pg');
/** Changes with the schema or the mailboxes, so that an old directory is not reused by mistake. */
const FORMAT = 'v2';

const listen = child =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', text => {
      said += text;
      const found = /http:\/\/[^\s]+:(\d+)/.exec(said);
      if (found !== null) resolve(Number(found[1]));
    });
    child.once('exit', code => reject(new Error(`the service exited with code ${code}`)));
  });

async function login(baseUrl, database) {
  const client = createTestClient(baseUrl);
  const app = { config: { domains: ['keyfold.test'] }, client: () => client };
  const { email, user } = await registerTestUser(app);
  const { rows } = await database.query('select user_id from addresses where address = $1', [email]);
  return {
    userId: rows[0].user_id,
    cookie: client.jar.header('/user/query'),
    storedBytes: user.storage_used,
  };
}

/** Starts the service with these roles and a mailbox of each of these sizes. */
export async function startService(sizes, { roles = 'http' } = {}) {
  const dataDir = path.join(root, '.cache/bench/list-endpoint', `${FORMAT}-${sizes.join('-')}`);
  const marker = path.join(dataDir, 'boxes.json');
  if (!existsSync(marker)) rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const child = spawn(
    path.join(root, 'node_modules/.bin/node'),
    ['--disable-warning=ExperimentalWarning', path.join(root, 'apps/server/src/main.ts')],
    {
      env: {
        ...process.env,
        PORT: '0',
        METRICS_PORT: '0',
        KEYFOLD_HOST: '127.0.0.1',
        KEYFOLD_ROLES: roles,
        SMTP_PORT: '0',
        KEYFOLD_DOMAINS: 'keyfold.test',
        KEYFOLD_DATA: dataDir,
        KEYFOLD_CAPTCHA_COST: '0',
        KEYFOLD_WELCOME: 'off',
        KEYFOLD_LOG: 'error',
        DATABASE_URL: '',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const stopChild = () =>
    new Promise(resolve => {
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });
  try {
    return { ...(await prepare(child, dataDir, marker, sizes)), pid: child.pid, stop: stopChild };
  } catch (error) {
    await stopChild();
    throw error;
  }
}

async function prepare(child, dataDir, marker, sizes) {
  const port = await listen(child);
  const baseUrl = `http://127.0.0.1:${port}`;
  const connection = {
    host: socketDirOf(path.join(dataDir, 'postgres')),
    user: 'keyfold',
    database: 'postgres',
  };
  const database = new Client(connection);
  await database.connect();
  let boxes = existsSync(marker) ? JSON.parse(readFileSync(marker, 'utf8')) : null;
  if (boxes === null) {
    boxes = [];
    for (const size of sizes) {
      const box = await login(baseUrl, database);
      await fillBox(database, box.userId, size);
      boxes.push({ ...box, size });
    }
    await settle(database);
    writeFileSync(marker, JSON.stringify(boxes));
  }
  // A stored session would have expired since the last run.
  await database.query(`update sessions set expires_at = now() + interval '1 day', last_used_at = now()`);
  await database.end();
  const pool = new Pool({ ...connection, max: 24 });
  // The connection is cut when the service stops its database; a running measurement fails by
  // itself.
  pool.on('error', () => undefined);
  return { port, boxes, pool };
}

// Behavior of the service while its database is unavailable, and automatic recovery of the embedded
// database (docs/reliability.md#goals).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type App, startApp } from '../src/app.ts';
import { createLogger } from '../src/base/logger.ts';
import { type Config, readConfig } from '../src/config/config.ts';
import { type OpenDatabase, openDatabase } from '../src/db/open.ts';
import { createTestClient, type TestClient } from './harness/client.ts';
import { createTestKeys } from './harness/users.ts';

let dataDir: string;
let config: Config;
let database: OpenDatabase;
let app: App;
let client: TestClient;
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-out-'));
  config = readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    KEYFOLD_HOST: '127.0.0.1',
    KEYFOLD_DATA: dataDir,
    KEYFOLD_CAPTCHA_COST: '0',
    KEYFOLD_WELCOME: 'off',
    KEYFOLD_ROLES: 'http',
    KEYFOLD_LOG: 'silent',
  });
  const logger = createLogger('silent');
  database = await openDatabase(config, logger);
  app = await startApp(config, database.connection, { logger });
  client = createTestClient(`http://127.0.0.1:${app.httpPort}`);
  await client.sign_up.register({
    name: 'Olivia',
    username: 'olivia',
    domain: 'keyfold.test',
    password: 'ab'.repeat(32),
    captcha: '',
    main_key: (await createTestKeys()).mainKey,
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const postmasterPid = () =>
  Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]);

test('requests get 503 while PostgreSQL is down and recover afterwards', async () => {
  expect((await client.fetch('/ready')).status).toBe(200);
  process.kill(postmasterPid(), 'SIGKILL');
  const statuses = new Set<number>();
  await vi.waitFor(
    async () => {
      const reply = await client.fetch('/auth/check');
      statuses.add(reply.status);
      if (reply.status === 503) {
        expect(await reply.json()).toMatchObject({ success: false, code: 'unavailable' });
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(statuses.has(503)).toBe(true);
      expect(reply.status).toBe(200);
    },
    { timeout: 20_000, interval: 20 },
  );
  expect([...statuses].sort()).toEqual([200, 503]);
  expect((await client.fetch('/ready')).status).toBe(200);
  expect((await client.auth.check({})).data.email).toBe('olivia@keyfold.test');
});

test('health does not depend on the database, ready does', async () => {
  await database.close();
  expect((await client.fetch('/health')).status).toBe(200);
  const ready = await client.fetch('/ready');
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ success: false, data: { database: false, blobs: true } });
  const started = performance.now();
  expect((await client.fetch('/auth/check')).status).toBe(503);
  expect(performance.now() - started).toBeLessThan(6_000);
});

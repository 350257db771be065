/**
 * The real app for a test file, with its own database, data directory and free ports. A test names
 * the parts that it replaces (clock, DNS, configuration); everything else is as in production.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type App, type Overrides, startApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import type { Deps } from '../../src/context/deps.ts';
import type { Db } from '../../src/db/pool.ts';
import { createTestClient, type TestClient } from './client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type TestApp = {
  readonly app: App;
  readonly deps: Deps;
  readonly db: Db;
  readonly database: TestDatabase;
  readonly config: Config;
  readonly baseUrl: string;
  /** Opens a new tab: a client without cookies. */
  readonly client: () => TestClient;
  readonly close: () => Promise<void>;
};

export type TestAppOptions = Overrides & {
  /** Roles to start; only HTTP by default. */
  readonly roles?: Config['roles'];
  readonly config?: Partial<Config>;
};

/** Starts an app. Call `close` when the file's tests are done. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { roles = ['http'], config: changed = {}, ...overrides } = options;
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-app-'));
  const config: Config = {
    ...readConfig({
      PORT: '0',
      SMTP_PORT: '0',
      METRICS_PORT: '0',
      KEYFOLD_HOST: '127.0.0.1',
      KEYFOLD_DATA: dataDir,
      KEYFOLD_CAPTCHA_COST: '0',
      KEYFOLD_LOG: 'silent',
      // Tests write to many recipients for the first time.
      KEYFOLD_SEND_WATCH: 'false',
      // Tests count the messages of new accounts.
      KEYFOLD_WELCOME: 'off',
    }),
    roles,
    ...changed,
  };
  // A client built here may be from other sources; tests of the client provide their own build.
  const app = await startApp(config, database.connection, { build: null, ...overrides });
  const baseUrl = `http://127.0.0.1:${app.httpPort}`;
  return {
    app,
    deps: app.deps,
    db: database.db,
    database,
    config,
    baseUrl,
    client: () => createTestClient(baseUrl),
    close: async () => {
      await app.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

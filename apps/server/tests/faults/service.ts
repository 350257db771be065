/**
 * The whole service in this process with an external database, and users who write to each other
 * and to outside recipients.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type App, type Overrides, startApp } from '../../src/app.ts';
import { createLogger } from '../../src/base/logger.ts';
import { readConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/db/open.ts';
import { type Outside, startOutside } from '../crash/outside.ts';
import { raisePlans } from '../crash/storage.ts';
import { createTestClient, type TestClient } from '../harness/client.ts';
import { registerTestUser, type TestUser } from '../harness/users.ts';

export type FaultyService = {
  readonly app: App;
  readonly smtpPort: number;
  readonly users: readonly [TestUser, ...TestUser[]];
  readonly outside: Outside;
  readonly client: () => TestClient;
  readonly close: () => Promise<void>;
};

const USERS = 4;

/**
 * Starts the service with DATABASE_URL, or with KEYFOLD_DATA for all its data. Its database is in
 * `postgres` under `clusterDir`.
 */
export async function startService(
  env: Readonly<Record<string, string>>,
  clusterDir: string,
  overrides: Overrides = {},
): Promise<FaultyService> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-fs-'));
  const outside = await startOutside();
  const config = readConfig({
    PORT: '0',
    SMTP_PORT: '0',
    METRICS_PORT: '0',
    KEYFOLD_HOST: '127.0.0.1',
    KEYFOLD_DATA: dataDir,
    KEYFOLD_CAPTCHA_COST: '0',
    KEYFOLD_WELCOME: 'off',
    SMTP_RELAY: outside.relayUrl,
    ...env,
  });
  const logger = createLogger('silent');
  const database = await openDatabase(config, logger);
  const app = await startApp(config, database.connection, { logger, ...overrides });
  const client = () => createTestClient(`http://127.0.0.1:${app.httpPort}`);
  const first = await registerTestUser({ config, client });
  const users: [TestUser, ...TestUser[]] = [first];
  while (users.length < USERS) users.push(await registerTestUser({ config, client }));
  await raisePlans(clusterDir);
  return {
    app,
    smtpPort: app.smtpPort ?? 0,
    users,
    outside,
    client,
    close: async () => {
      await app.close();
      await database.close();
      await outside.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts one real PostgreSQL for the whole integration run and creates a migrated template
 * database; each test file gets its own copy (database.ts). Durability is off here: tests that kill
 * processes start their own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLogger } from '../../src/base/logger.ts';
import { embeddedConnection, startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createDb, createPool } from '../../src/db/pool.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresSocketDir: string;
  }
}

export const TEMPLATE = 'keyfold_template';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'kf-pg-'));
  const postgres = await startEmbeddedPostgres(dir, [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
  ]);
  const logger = createLogger('silent');
  const admin = createPool(embeddedConnection(postgres.socketDir, 'postgres'), logger, 1);
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const db = createDb(createPool(embeddedConnection(postgres.socketDir, TEMPLATE), logger, 2));
  await migrate(db);
  await db.destroy();
  project.provide('postgresSocketDir', postgres.socketDir);
  return async () => {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}

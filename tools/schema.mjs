/**
 * Writes docs/schema.sql: starts an embedded PostgreSQL in a temporary folder, applies all
 * migrations and reads the system catalogs.
 *
 *   npm run schema
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createLogger } from '../apps/server/src/base/logger.ts';
import { embeddedConnection, startEmbeddedPostgres } from '../apps/server/src/db/embedded.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { createDb, createPool } from '../apps/server/src/db/pool.ts';
import { readSchemaText } from '../apps/server/tests/harness/schema-text.ts';
import { root } from './run-command.mjs';

const dir = mkdtempSync(path.join(os.tmpdir(), 'kf-schema-'));
const postgres = await startEmbeddedPostgres(dir, ['fsync=off']);
const db = createDb(
  createPool(embeddedConnection(postgres.socketDir, 'postgres'), createLogger('silent'), 2),
);
try {
  await migrate(db);
  const owners = JSON.parse(readFileSync(path.join(root, 'tools/table-owners.json'), 'utf8'));
  writeFileSync(path.join(root, 'docs/schema.sql'), await readSchemaText(db, owners));
} finally {
  await db.destroy();
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
}

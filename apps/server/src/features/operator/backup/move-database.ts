/**
 * Moves the embedded database into an external PostgreSQL while the service is stopped: copies the
 * tables and compares each on both sides before it commits the whole.
 */
import path from 'node:path';
import type { Logger } from '../../../base/logger.ts';
import type { Config } from '../../../config/config.ts';
import { findObstacle, replaceContent, withSnapshot } from '../../../db/bulk-copy.ts';
import { MIGRATION_NAMES, migrate } from '../../../db/migrate.ts';
import { markMoved, openService } from '../../../db/open.ts';
import { createDb, createPool } from '../../../db/pool.ts';
import { BackupError } from './failure.ts';

export type Moved = { readonly tables: number; readonly rows: number };

/**
 * PostgreSQL and network error codes for an address without a database that accepts our connection.
 */
const NO_WAY_IN = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|28|3D000)/;

function refuseWithoutWayIn(error: unknown): never {
  const { code = '', message } = error as Error & { code?: string };
  if (!NO_WAY_IN.test(code)) throw error;
  throw new BackupError(
    `The target database refused the connection (${code}): ${message}. Nothing was moved`,
  );
}

/**
 * Throws BackupError when a newer release has changed the database: this release cannot create its
 * tables elsewhere.
 */
function requireKnownSchema(migrations: readonly string[]): void {
  const ahead = migrations.find(name => !MIGRATION_NAMES.includes(name));
  if (ahead !== undefined)
    throw new BackupError(
      `A newer version of Keyfold changed this database (${ahead}). Move it with that version`,
    );
}

/**
 * Moves the database and leaves a marker that prevents use of the old one. On failure, rejects with
 * BackupError and moves nothing.
 */
export async function moveDatabase(config: Config, logger: Logger, url: string): Promise<Moved> {
  if (config.databaseUrl !== undefined)
    throw new BackupError(
      'DATABASE_URL is set, but only the embedded database can be moved. Unset it for this command',
    );
  const embedded = await openService(config, logger, false);
  const target = { connectionString: url };
  const targetDb = createDb(createPool(target, logger, 2));
  try {
    const moved = await withSnapshot(embedded.connection, async snapshot => {
      const obstacle = await findObstacle(target, snapshot.migrations).catch(refuseWithoutWayIn);
      if (obstacle !== null) throw new BackupError(`The target database is unusable: ${obstacle}`);
      requireKnownSchema(snapshot.migrations);
      await migrate(targetDb);
      let rows = 0;
      await replaceContent(target, snapshot.tables, snapshot.sequences, async there => {
        for (const table of snapshot.tables) {
          rows += await there.write(table, snapshot.read(table));
          const [before, after] = [await snapshot.digest(table), await there.digest(table)];
          if (before !== after)
            throw new BackupError(`The copy of ${table.name} differs from the original. Nothing was moved`);
        }
      });
      return { tables: snapshot.tables.length, rows };
    });
    markMoved(path.join(config.dataDir, 'postgres'));
    return moved;
  } finally {
    await targetDb.destroy();
    await embedded.close();
  }
}

/**
 * Moves the embedded database into a PostgreSQL of the operator's own, while nothing runs: the tables are copied from
 * one to the other, and each is compared on both sides before the whole is committed.
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

/** Codes of PostgreSQL, and of the network, for an address at which there is no database that lets us in. */
const NO_WAY_IN = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|28|3D000)/;

function refuseWithoutWayIn(error: unknown): never {
  const { code = '', message } = error as Error & { code?: string };
  if (!NO_WAY_IN.test(code)) throw error;
  throw new BackupError(
    `The database to move to does not let us in (${code}): ${message}. Nothing was moved`,
  );
}

/** Throws BackupError when a newer release has changed the database: this program cannot make its tables elsewhere. */
function requireKnownSchema(migrations: readonly string[]): void {
  const ahead = migrations.find(name => !MIGRATION_NAMES.includes(name));
  if (ahead !== undefined)
    throw new BackupError(
      `A newer version of Keyfold has changed this database (${ahead}): move it with that version`,
    );
}

/** Moves it, and leaves a mark that keeps the old one from being used. Rejects with BackupError and moves nothing. */
export async function moveDatabase(config: Config, logger: Logger, url: string): Promise<Moved> {
  if (config.databaseUrl !== undefined)
    throw new BackupError(
      'DATABASE_URL is set: only the embedded database can be moved. Take it away for this command',
    );
  const embedded = await openService(config, logger, false);
  const target = { connectionString: url };
  const targetDb = createDb(createPool(target, logger, 2));
  try {
    const moved = await withSnapshot(embedded.connection, async snapshot => {
      const obstacle = await findObstacle(target, snapshot.migrations).catch(refuseWithoutWayIn);
      if (obstacle !== null) throw new BackupError(`The database cannot be moved there: ${obstacle}`);
      requireKnownSchema(snapshot.migrations);
      await migrate(targetDb);
      let rows = 0;
      await replaceContent(target, snapshot.tables, snapshot.sequences, async there => {
        for (const table of snapshot.tables) {
          rows += await there.write(table, snapshot.read(table));
          const [before, after] = [await snapshot.digest(table), await there.digest(table)];
          if (before !== after)
            throw new BackupError(`${table.name} did not arrive as it was: nothing was moved`);
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

/**
 * Gets the database that a configuration means: DATABASE_URL, or the embedded PostgreSQL under KEYFOLD_DATA, which is
 * started if need be; brought to the newest schema either way.
 */
import path from 'node:path';
import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import { embeddedConnection, requireOwnFolder, socketDirOf, startEmbeddedPostgres } from './embedded.ts';
import { findOwner, lockDataDir } from './lock.ts';
import { migrate } from './migrate.ts';
import { type Connection, createDb, createPool, isUnreachable } from './pool.ts';

/** A server database that is still starting is waited for this long. */
const WAIT_MS = 30_000;
const RETRY_MS = 1_000;
/** The database that initdb makes. */
const EMBEDDED_DATABASE = 'postgres';

export type OpenDatabase = {
  readonly connection: Connection;
  /** Stops the embedded PostgreSQL, if it was started here. Pools must be closed before. */
  readonly close: () => Promise<void>;
};

const migrateWhenReachable = async (connection: Connection, logger: Logger): Promise<void> => {
  const db = createDb(createPool(connection, logger, 2));
  const giveUpAt = Date.now() + WAIT_MS;
  try {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await migrate(db);
      } catch (error) {
        if (!isUnreachable(error) || Date.now() > giveUpAt) throw error;
        if (isFirst) logger.warn({ err: error }, 'the database is not reachable yet: waiting');
        await new Promise(resolve => setTimeout(resolve, RETRY_MS));
      }
    }
  } finally {
    await db.destroy();
  }
};

const startOwn = async (config: Config, logger: Logger): Promise<OpenDatabase> => {
  const unlock = lockDataDir(config.dataDir);
  const dir = path.join(config.dataDir, 'postgres');
  try {
    const postgres = await startEmbeddedPostgres(dir, [], () =>
      logger.error('PostgreSQL ended by itself and was started again'),
    );
    return {
      connection: embeddedConnection(postgres.socketDir, EMBEDDED_DATABASE),
      close: async () => {
        await postgres.stop();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
};

/**
 * Opens the database. `mayJoin`: when another process has the embedded one running, use it beside that process. Rejects
 * when it cannot be started, reached or migrated.
 */
export const openDatabase = async (
  config: Config,
  logger: Logger,
  mayJoin = false,
): Promise<OpenDatabase> => {
  const open = async (): Promise<OpenDatabase> => {
    if (config.databaseUrl !== undefined) {
      return { connection: { connectionString: config.databaseUrl }, close: async () => {} };
    }
    if (mayJoin && findOwner(config.dataDir) !== null) {
      const socketDir = socketDirOf(path.join(config.dataDir, 'postgres'));
      requireOwnFolder(socketDir);
      return { connection: embeddedConnection(socketDir, EMBEDDED_DATABASE), close: async () => {} };
    }
    return startOwn(config, logger);
  };
  const database = await open();
  try {
    await migrateWhenReachable(database.connection, logger);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
};

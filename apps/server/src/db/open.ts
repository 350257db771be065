/**
 * Gets the database that a configuration means: DATABASE_URL, or the embedded PostgreSQL under KEYFOLD_DATA, which is
 * started if need be; brought to the newest schema either way.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import {
  embeddedConnection,
  makeDataDirectory,
  requireOwnFolder,
  socketDirOf,
  startEmbeddedPostgres,
} from './embedded.ts';
import { findOwner, lockDataDir } from './lock.ts';
import { migrate } from './migrate.ts';
import { type Connection, createDb, createPool, type Db, isUnreachable } from './pool.ts';
import { requireOwnConnections } from './pooler.ts';
import { archiveFolderOf, archiveSettings, readIdentifier } from './wal-archive.ts';

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

/** The embedded database of a folder was moved: what lies there is old. */
export class DatabaseMoved extends Error {
  override readonly name = 'DatabaseMoved';
}

const markOf = (dir: string): string => `${dir}.moved`;

/** Keeps an embedded database from being used again: its content lives elsewhere. */
export const markMoved = (dir: string): void =>
  writeFileSync(markOf(dir), 'This database was moved to the one of DATABASE_URL.\n', {
    mode: 0o600,
    flush: true,
  });

/** Throws DatabaseMoved when that of a folder was. */
export const requireUnmoved = (dir: string): void => {
  if (existsSync(markOf(dir)))
    throw new DatabaseMoved(
      `The database in ${dir} was moved: set DATABASE_URL. To use the old one after all, remove ${markOf(dir)}`,
    );
};

/** Prepares a database that was just reached, such as by `migrate`. */
type Prepare = (db: Db) => Promise<void>;

const prepareWhenReachable = async (
  connection: Connection,
  logger: Logger,
  prepare: Prepare,
): Promise<void> => {
  const db = createDb(createPool(connection, logger, 2));
  const giveUpAt = Date.now() + WAIT_MS;
  try {
    for (let isFirst = true; ; isFirst = false) {
      try {
        if ('connectionString' in connection) await requireOwnConnections(connection);
        return await prepare(db);
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

/** Settings with which the database of a data directory, which is made when absent, keeps its archive where one is wanted. */
const archivingOf = (
  dir: string,
  { dataDir, walArchive }: Pick<Config, 'dataDir' | 'walArchive'>,
): string[] => {
  if (walArchive === undefined) return [];
  makeDataDirectory(dir);
  const folder = archiveFolderOf(walArchive, dir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return archiveSettings({ folder, dataDir, database: readIdentifier(dir) });
};

const startOwn = async (config: Config, logger: Logger): Promise<OpenDatabase> => {
  const dir = path.join(config.dataDir, 'postgres');
  requireUnmoved(dir);
  const unlock = lockDataDir(config.dataDir);
  try {
    const postgres = await startEmbeddedPostgres(dir, archivingOf(dir, config), () =>
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
 * when it cannot be started, reached or prepared, which is bringing it to the newest schema unless said otherwise.
 */
export const openDatabase = async (
  config: Config,
  logger: Logger,
  mayJoin = false,
  prepare: Prepare = migrate,
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
    await prepareWhenReachable(database.connection, logger, prepare);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
};

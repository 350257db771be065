/**
 * Opens the configured database: DATABASE_URL, or the embedded PostgreSQL under KEYFOLD_DATA, which
 * is started if needed. Both are migrated to the newest schema.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { requireOwnDatabase, requireUsableFolder } from '../base/file-owner.ts';
import type { Logger } from '../base/logger.ts';
import { StartRefused } from '../base/start-refused.ts';
import type { Config } from '../config/config.ts';
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

/** Longest wait for a database server that is still starting, in milliseconds. */
const WAIT_MS = 30_000;
const RETRY_MS = 1_000;
/** The database that initdb creates. */
const EMBEDDED_DATABASE = 'postgres';
/** Its folder within KEYFOLD_DATA. */
const EMBEDDED_FOLDER = 'postgres';

export type OpenDatabase = {
  readonly connection: Connection;
  /** Stops the embedded PostgreSQL if it was started here. Pools must be closed before. */
  readonly close: () => Promise<void>;
};

/** The embedded database of a folder was moved; the data in the folder is outdated. */
export class DatabaseMoved extends Error {
  override readonly name = 'DatabaseMoved';
}

const markOf = (dir: string): string => `${dir}.moved`;

/** Prevents an embedded database from being used again after its content was moved elsewhere. */
export const markMoved = (dir: string): void =>
  writeFileSync(markOf(dir), 'This database was moved to another one. Set DATABASE_URL to its address.\n', {
    mode: 0o600,
    flush: true,
  });

/** Throws DatabaseMoved if the embedded database of the folder was moved. */
export function requireUnmoved(dir: string): void {
  if (existsSync(markOf(dir)))
    throw new DatabaseMoved(
      `The database in ${dir} was moved (see ${markOf(dir)}). Set DATABASE_URL to its new address`,
    );
}

/** Prepares a database that was just reached, for example with `migrate`. */
type Prepare = (db: Db, logger: Logger) => Promise<void>;

const migrateAndLog: Prepare = async (db, logger) => {
  const ahead = await migrate(db);
  if (ahead.length > 0) logger.warn({ ahead }, 'running on the schema of a newer version');
};

async function prepareWhenReachable(connection: Connection, logger: Logger, prepare: Prepare): Promise<void> {
  const db = createDb(createPool(connection, logger, 2));
  const giveUpAt = Date.now() + WAIT_MS;
  try {
    for (let isFirst = true; ; isFirst = false) {
      try {
        if ('connectionString' in connection) await requireOwnConnections(connection);
        return await prepare(db, logger);
      } catch (error) {
        if (!isUnreachable(error) || Date.now() > giveUpAt) throw error;
        if (isFirst) logger.warn({ err: error }, 'database unreachable, waiting');
        await new Promise(resolve => setTimeout(resolve, RETRY_MS));
      }
    }
  } finally {
    await db.destroy();
  }
}

/**
 * Returns the PostgreSQL settings that enable the WAL archive, if one is configured; creates the
 * data directory if absent.
 */
function archivingOf(dir: string, { dataDir, walArchive }: Pick<Config, 'dataDir' | 'walArchive'>): string[] {
  if (walArchive === undefined) return [];
  makeDataDirectory(dir);
  const folder = archiveFolderOf(walArchive, dir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return archiveSettings({ folder, dataDir, database: readIdentifier(dir) });
}

async function startOwn(config: Config, logger: Logger): Promise<OpenDatabase> {
  const dir = path.join(config.dataDir, EMBEDDED_FOLDER);
  requireUnmoved(dir);
  const unlock = lockDataDir(config.dataDir);
  try {
    const postgres = await startEmbeddedPostgres(dir, archivingOf(dir, config), () =>
      logger.error('embedded PostgreSQL exited unexpectedly, restarted it'),
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
}

/**
 * Throws StartRefused if this account may not use the data folder, or if the embedded database
 * belongs to another account.
 */
function requireRightAccount({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  requireUsableFolder(dataDir);
  if (databaseUrl === undefined) requireOwnDatabase(path.join(dataDir, EMBEDDED_FOLDER));
}

/**
 * Throws StartRefused unless the data folder belongs to a service that was started before: an
 * operator command that runs without the service's settings would otherwise create a second, empty
 * one.
 */
export function requireService(config: Config): void {
  const { dataDir, databaseUrl } = config;
  requireRightAccount(config);
  // For DATABASE_URL, the check queries the database itself (migrateUsed).
  if (databaseUrl === undefined && !existsSync(path.join(dataDir, EMBEDDED_FOLDER, 'PG_VERSION')))
    throw new StartRefused(
      `${dataDir} contains no Keyfold service. Run this command with the settings of the service (KEYFOLD_DATA and the others), or as keyfold COMMAND`,
    );
}

/**
 * Migrates a database that was used before to the newest schema. Rejects with StartRefused if it
 * contains no Keyfold data.
 */
const migrateUsed: Prepare = async (db, logger) => {
  const { rows } = await sql<{ yes: boolean }>`
    select to_regclass('public.kysely_migration') is not null as yes`.execute(db);
  if (rows[0]?.yes !== true)
    throw new StartRefused(
      'The database of DATABASE_URL contains no Keyfold service. Start the service first',
    );
  await migrateAndLog(db, logger);
};

/**
 * Opens the database of a service that was started before, for an operator command; see
 * openDatabase for `mayJoin`. Rejects with StartRefused, and creates nothing, if there is none.
 */
export function openService(config: Config, logger: Logger, mayJoin = true): Promise<OpenDatabase> {
  requireService(config);
  return openDatabase(config, logger, mayJoin, migrateUsed);
}

/**
 * Opens the database and prepares it, by default by migrating to the newest schema. With `mayJoin`,
 * uses an embedded database that another process is already running. Rejects if the database cannot
 * be started, reached or prepared.
 */
export async function openDatabase(
  config: Config,
  logger: Logger,
  mayJoin = false,
  prepare: Prepare = migrateAndLog,
): Promise<OpenDatabase> {
  const open = async (): Promise<OpenDatabase> => {
    requireRightAccount(config);
    if (config.databaseUrl !== undefined) {
      return { connection: { connectionString: config.databaseUrl }, close: async () => {} };
    }
    if (mayJoin && findOwner(config.dataDir) !== null) {
      const socketDir = socketDirOf(path.join(config.dataDir, EMBEDDED_FOLDER));
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
}

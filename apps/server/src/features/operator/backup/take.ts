/**
 * Takes a backup of a running service: one snapshot of the database, then the containers that the
 * snapshot refers to, which are protected from removal in the meantime
 * (features/mailbox/messages/container-holds.ts). Sealed data stays sealed. The server's own key is
 * left out unless requested.
 */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from '../../../adapters/blobs.ts';
import { findMasterKeyFingerprint, loadMasterKey, masterKeyFile } from '../../../base/master-key.ts';
import { type Snapshot, withSnapshot } from '../../../db/bulk-copy.ts';
import type { Connection, Db } from '../../../db/pool.ts';
import { holdContainers } from '../../mailbox/messages/index.ts';
import { copyContainers, NAMED_CONTAINERS } from './containers.ts';
import { type Contents, createContents } from './contents.ts';
import { BackupError } from './failure.ts';
import { type Manifest, writeManifest } from './manifest.ts';

export const KEY_IN_BACKUP = 'keys/master.key';
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export type Source = {
  readonly connection: Connection;
  readonly db: Db;
  readonly blobs: BlobStore;
  /** KEYFOLD_DATA: the folder with the server's key. */
  readonly dataDir: string;
};

export type BackupOptions = { readonly hasMasterKey: boolean };

/** Path of a table's rows in a backup. */
export const tableFile = (name: string): string => `database/${name}.copy`;

/** Creates the folder of a new backup. Rejects with BackupError when it has content. */
async function makeEmptyFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: FOLDER_MODE });
  if ((await readdir(dir)).length > 0)
    throw new BackupError(`${dir} is not empty. Use a new folder for each backup`);
}

/**
 * Empties the folder after a failure, so that the next attempt may use it: an unfinished backup is
 * worthless.
 */
async function emptyFolder(dir: string): Promise<void> {
  for (const name of await readdir(dir)) await rm(path.join(dir, name), { recursive: true, force: true });
}

type Database = Pick<Manifest, 'migrations' | 'postgres_version' | 'sequences' | 'tables'>;

/** Writes all tables, and the ids of the containers that they refer to into a file. */
async function writeTables(snapshot: Snapshot, contents: Contents, idsFile: string): Promise<Database> {
  const tables: Manifest['tables'] = [];
  for (const table of snapshot.tables) {
    const rows = snapshot.read(table);
    await contents.write(tableFile(table.name), rows);
    tables.push({ name: table.name, columns: [...table.columns], rows: rows.rowCount });
  }
  await pipeline(snapshot.lines(NAMED_CONTAINERS), createWriteStream(idsFile, { mode: FILE_MODE }));
  return {
    migrations: [...snapshot.migrations],
    postgres_version: snapshot.serverVersion,
    sequences: [...snapshot.sequences],
    tables,
  };
}

/**
 * The part of a backup that depends on its kind: writes the database, and the ids of the containers
 * that it refers to.
 */
type WriteDatabase = (contents: Contents, idsFile: string) => Promise<Database>;

/**
 * Takes a backup of the given kind into a folder. Rejects with BackupError when the folder is not
 * empty.
 */
export async function takeBackupOf(
  { db, blobs, dataDir }: Omit<Source, 'connection'>,
  dir: string,
  kind: Manifest['kind'],
  { hasMasterKey }: BackupOptions,
  writeDatabase: WriteDatabase,
): Promise<Manifest> {
  const keyFile = masterKeyFile(dataDir);
  if (hasMasterKey && !existsSync(keyFile)) throw new BackupError(`${keyFile} is missing`);
  await makeEmptyFolder(dir);
  const contents = await createContents(dir);
  const idsFile = path.join(dir, 'containers.part');
  const madeAt = new Date().toISOString();
  let isWhole = false;
  try {
    const { database, containers } = await holdContainers(db, async () => {
      const database = await writeDatabase(contents, idsFile);
      return { database, containers: await copyContainers(blobs, idsFile, dir, contents) };
    });
    await rm(idsFile);
    if (hasMasterKey) await contents.write(KEY_IN_BACKUP, createReadStream(keyFile));
    const manifest: Manifest = {
      format: 'keyfold-backup 1',
      kind,
      made_at: madeAt,
      ...database,
      containers,
      master_key: { fingerprint: findMasterKeyFingerprint(keyFile), is_inside: hasMasterKey },
      contents_sha256: await contents.end(),
    };
    await writeManifest(dir, manifest, existsSync(keyFile) ? loadMasterKey(dataDir) : null);
    isWhole = true;
    return manifest;
  } finally {
    await contents.close();
    if (!isWhole) await emptyFolder(dir);
  }
}

/**
 * Takes a backup that can be restored into any PostgreSQL. Rejects with BackupError when the folder
 * is not empty.
 */
export const takeBackup = (source: Source, dir: string, options: BackupOptions): Promise<Manifest> =>
  takeBackupOf(source, dir, 'tables', options, (contents, idsFile) =>
    withSnapshot(source.connection, snapshot => writeTables(snapshot, contents, idsFile)),
  );

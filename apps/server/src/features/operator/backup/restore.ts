/**
 * Restores a backup: checks all of it, then the target, and only then writes. Containers are
 * restored first, then the database in one transaction, so that an interrupted restore can be
 * repeated. The schema is created as it was when the backup was taken, and migrated to the newest
 * one afterwards.
 */

import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openBlobs } from '../../../adapters/open-files.ts';
import type { Logger } from '../../../base/logger.ts';
import { findMasterKeyFingerprint, loadMasterKey, masterKeyFile } from '../../../base/master-key.ts';
import type { Config } from '../../../config/config.ts';
import { findObstacle, replaceContent } from '../../../db/bulk-copy.ts';
import { MIGRATION_NAMES, migrate, migrateUpTo } from '../../../db/migrate.ts';
import { openDatabase } from '../../../db/open.ts';
import { type Connection, createDb, createPool, type Db } from '../../../db/pool.ts';
import { replaceServerKey } from '../server-key/index.ts';
import { putContainersBack } from './containers.ts';
import { type Entry, type Pinned, readBytes, readEntry, withPinned } from './contents.ts';
import { BackupError } from './failure.ts';
import { isMarkedBy, type Manifest, verifyBackup } from './manifest.ts';
import { revokeAfterRestore } from './revoke-after-restore.ts';
import { KEY_IN_BACKUP, tableFile } from './take.ts';

const KEY_MODE = 0o600;

export type RestoreOptions = {
  /**
   * Whether to restore without the server's key: queued mail and everything else sealed under the
   * key is lost.
   */
  readonly isKeyless: boolean;
  /** Whether to accept a backup without a MAC under the server's existing key. */
  readonly isMarkless: boolean;
};

/** Throws BackupError unless this release can create the schema of a backup. */
export function requireKnownSchema({ migrations }: Pick<Manifest, 'migrations'>): string {
  const last = migrations.at(-1) ?? '';
  const known = MIGRATION_NAMES.slice(0, migrations.length);
  if (known.length !== migrations.length || !known.every((name, index) => migrations[index] === name))
    throw new BackupError(
      `The backup was made by another version of Keyfold (its database is at ${last}). Restore with that version, or a newer one`,
    );
  return last;
}

/**
 * Installs the server's key when the backup contains it. Returns whether the previously installed
 * key authenticates the backup. Rejects with BackupError when a key is missing or different, and
 * when the installed key does not authenticate the backup: an attacker who can write to the backup
 * folder could remove a MAC as well as change the data it covers.
 */
export async function settleMasterKey(
  dir: string,
  manifest: Manifest,
  dataDir: string,
  { isKeyless, isMarkless }: RestoreOptions,
): Promise<boolean> {
  const { fingerprint, is_inside } = manifest.master_key;
  const file = masterKeyFile(dataDir);
  const there = findMasterKeyFingerprint(file);
  if (there !== null && (fingerprint === null || there === fingerprint)) {
    if (fingerprint !== null && (await isMarkedBy(loadMasterKey(dataDir), dir, manifest))) return true;
    if (isMarkless) return false;
    throw new BackupError(
      `The backup in ${dir} has no MAC by the server's key ${file} and may have been changed. If you trust the backup, restore it with --without-mark`,
    );
  }
  if (fingerprint === null || (isKeyless && !is_inside)) return false;
  if (there !== null) throw new BackupError(`${file} is not the key of the backup. Move it aside first`);
  if (!is_inside)
    throw new BackupError(
      `The backup does not include the server's key. Copy the key to ${file} first. With --without-master-key, restore continues, but data encrypted with the key (queued mail, DKIM keys, rules, signatures, authenticator apps) is lost`,
    );
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // Written atomically, the way keys are created.
  await pipeline(
    await readBytes(path.join(dir, KEY_IN_BACKUP)),
    createWriteStream(`${file}.part`, { mode: KEY_MODE }),
  );
  await rename(`${file}.part`, file);
  // A key that came with the backup proves nothing.
  return false;
}

async function requireEmpty(connection: Connection, migrations: readonly string[]): Promise<void> {
  const obstacle = await findObstacle(connection, migrations);
  if (obstacle !== null) throw new BackupError(`The database cannot be restored into: ${obstacle}`);
}

/**
 * Creates the schema of a backup in an empty database, fills it, and migrates it to the newest
 * schema.
 */
async function fillDatabase(
  backup: Pinned,
  manifest: Manifest,
  connection: Connection,
  logger: Logger,
  settleKey: (db: Db) => Promise<void>,
): Promise<void> {
  const names = new Set(manifest.tables.map(({ name }) => tableFile(name)));
  const files = new Map<string, Entry>();
  for await (const entry of backup.entries()) if (names.has(entry.path)) files.set(entry.path, entry);
  const db = createDb(createPool(connection, logger, 2));
  try {
    await migrateUpTo(db, requireKnownSchema(manifest));
    await replaceContent(connection, manifest.tables, manifest.sequences, async ({ write }) => {
      for (const table of manifest.tables) {
        const file = files.get(tableFile(table.name));
        if (file === undefined)
          throw new BackupError(`The backup is damaged: it does not list ${table.name}`);
        const rows = await write(table, Readable.from(readEntry(backup.dir, file)));
        if (rows !== table.rows)
          throw new BackupError(`${table.name} has ${rows} rows instead of ${table.rows}`);
      }
    });
    await migrate(db);
    await revokeAfterRestore(db, new Date());
    await settleKey(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Restores a backup into the configured database and blob store. Returns how many containers were
 * copied. Rejects with BackupError, before anything is written, when the backup is damaged or the
 * target is not empty.
 */
export async function restoreBackup(
  config: Config,
  logger: Logger,
  dir: string,
  options: RestoreOptions,
): Promise<{ readonly manifest: Manifest; readonly containers: number; readonly isMarked: boolean }> {
  const manifest = await verifyBackup(dir);
  if (manifest.kind !== 'tables')
    throw new BackupError(`${dir} contains a base backup. Use restore-to with a time and the archive`);
  requireKnownSchema(manifest);
  const database = await openDatabase(config, logger, false, async () => {});
  try {
    await requireEmpty(database.connection, manifest.migrations);
    const isMarked = await settleMasterKey(dir, manifest, config.dataDir, options);
    const blobs = await openBlobs(config);
    return await withPinned(dir, manifest.contents_sha256, config.dataDir, async backup => {
      const containers = await putContainersBack(backup, blobs);
      await fillDatabase(backup, manifest, database.connection, logger, async db => {
        // The operator asked for this: data sealed under the former key is given up, and the key of
        // this folder becomes the service's key.
        if (options.isKeyless && !manifest.master_key.is_inside) await replaceServerKey(db, config.dataDir);
      });
      return { manifest, containers, isMarked };
    });
  } finally {
    await database.close();
  }
}

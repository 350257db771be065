/**
 * Puts a backup back: checks all of it, then the target, and only then writes. Containers come first, the database in
 * one transaction after them, so that a restore that breaks off can be begun again. The schema is made as it was when the
 * backup was taken, and brought to the newest one afterwards.
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
  /** Whether it is done without the server's key: queued mail and what else the key sealed is lost then. */
  readonly isKeyless: boolean;
  /** Whether a backup is taken for which the server's key that is there does not vouch. */
  readonly isMarkless: boolean;
};

/** Throws BackupError unless this program makes the schema of a backup. */
export function requireKnownSchema({ migrations }: Pick<Manifest, 'migrations'>): string {
  const last = migrations.at(-1) ?? '';
  const known = MIGRATION_NAMES.slice(0, migrations.length);
  if (known.length !== migrations.length || !known.every((name, index) => migrations[index] === name))
    throw new BackupError(
      `The backup was made by another version of Keyfold (its database is at ${last}): restore with that version, or a newer one`,
    );
  return last;
}

/**
 * Puts the server's key where it belongs, when the backup has it; whether the key that was here vouches for the backup. Rejects
 * with BackupError where a key is missing or another, and when one that is there does not vouch for the backup: whoever can
 * write where backups lie could take a mark away as well as change what it stands for.
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
      `The backup in ${dir} has no mark by the server's key in ${file}: it may have been changed. restore it with --without-mark when its place says otherwise`,
    );
  }
  if (fingerprint === null || (isKeyless && !is_inside)) return false;
  if (there !== null)
    throw new BackupError(`${file} is another key than that of the backup: put it aside first`);
  if (!is_inside)
    throw new BackupError(
      `The backup is without the server's key: put that into ${file} first. restore with --without-master-key does without; what the key sealed (queued mail, DKIM keys, rules, signatures, authenticator apps) cannot be opened then`,
    );
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // As a whole or not at all, as keys are made.
  await pipeline(
    await readBytes(path.join(dir, KEY_IN_BACKUP)),
    createWriteStream(`${file}.part`, { mode: KEY_MODE }),
  );
  await rename(`${file}.part`, file);
  // A key that came along vouches for nothing.
  return false;
}

async function requireEmpty(connection: Connection, migrations: readonly string[]): Promise<void> {
  const obstacle = await findObstacle(connection, migrations);
  if (obstacle !== null) throw new BackupError(`The database cannot take a backup: ${obstacle}`);
}

/** Makes the schema of a backup in an empty database, fills it, and brings it to the newest schema. */
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
        if (file === undefined) throw new BackupError(`The backup is damaged: it lists no ${table.name}`);
        const rows = await write(table, Readable.from(readEntry(backup.dir, file)));
        if (rows !== table.rows)
          throw new BackupError(`${table.name} came to ${rows} rows instead of ${table.rows}`);
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
 * Restores a backup into the database and the blob store of a configuration; how many containers were put. Rejects with
 * BackupError, and with nothing written, when the backup is damaged or the target is not empty.
 */
export async function restoreBackup(
  config: Config,
  logger: Logger,
  dir: string,
  options: RestoreOptions,
): Promise<{ readonly manifest: Manifest; readonly containers: number; readonly isMarked: boolean }> {
  const manifest = await verifyBackup(dir);
  if (manifest.kind !== 'tables')
    throw new BackupError(`${dir} holds a base backup: use restore-to, with a time and the archive`);
  requireKnownSchema(manifest);
  const database = await openDatabase(config, logger, false, async () => {});
  try {
    await requireEmpty(database.connection, manifest.migrations);
    const isMarked = await settleMasterKey(dir, manifest, config.dataDir, options);
    const blobs = await openBlobs(config);
    return await withPinned(dir, manifest.contents_sha256, config.dataDir, async backup => {
      const containers = await putContainersBack(backup, blobs);
      await fillDatabase(backup, manifest, database.connection, logger, async db => {
        // Asked for: what the former key sealed is given up, and the key of this folder is the service's from now on.
        if (options.isKeyless && !manifest.master_key.is_inside) await replaceServerKey(db, config.dataDir);
      });
      return { manifest, containers, isMarked };
    });
  } finally {
    await database.close();
  }
}

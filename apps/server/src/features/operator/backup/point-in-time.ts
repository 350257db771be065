/**
 * Base backups of the embedded PostgreSQL, and restores from one and the WAL archive to any later
 * moment. An external PostgreSQL uses its own tools for this.
 */
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from '../../../adapters/blobs.ts';
import { openBlobs } from '../../../adapters/open-files.ts';
import type { Logger } from '../../../base/logger.ts';
import { loadMasterKey, masterKeyFile } from '../../../base/master-key.ts';
import type { Config } from '../../../config/config.ts';
import { type ArchiveMarks, ArchiveRefused } from '../../../db/archive-marks.ts';
import { withSnapshot } from '../../../db/bulk-copy.ts';
import { embeddedConnection, startEmbeddedPostgres } from '../../../db/embedded.ts';
import { lockDataDir } from '../../../db/lock.ts';
import { requireUnmoved } from '../../../db/open.ts';
import { createDb, createPool } from '../../../db/pool.ts';
import { archiveHistories, findTimeline } from '../../../db/timelines.ts';
import {
  type ArchivePlace,
  archiveFolderOf,
  type CheckedMarks,
  DATA_FOLDERS,
  findArchiveFolder,
  isLeftOut,
  OWN_SETTINGS,
  readIdentifier,
  recoverySettings,
  withBaseBackup,
} from '../../../db/wal-archive.ts';
import { findArchivedContainers } from './container-archive.ts';
import { NAMED_CONTAINERS, putContainersBack } from './containers.ts';
import { type Contents, type Pinned, readEntry, withPinned } from './contents.ts';
import { BackupError } from './failure.ts';
import { type Manifest, verifyBackup } from './manifest.ts';
import { type MissingBlobs, restoreMissingBlobs } from './missing-blobs.ts';
import { type RestoreOptions, requireKnownSchema, settleMasterKey } from './restore.ts';
import { revokeAfterRestore } from './revoke-after-restore.ts';
import { type BackupOptions, type Source, takeBackupOf } from './take.ts';

const FOLDER = 'postgres';
const LABEL = `${FOLDER}/backup_label`;

/**
 * Copies a running server's files. The WAL archive makes up for a file that disappears in the
 * meantime.
 */
async function copyFiles(from: string, contents: Contents): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(from, file).split(path.sep).join('/');
    if (!entry.isFile() || isLeftOut(name)) continue;
    try {
      await contents.write(`${FOLDER}/${name}`, createReadStream(file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || existsSync(file)) throw error;
    }
  }
}

/**
 * Takes a base backup. Rejects with BackupError without an archive or an embedded PostgreSQL.
 */
export function takeBaseBackup(
  config: Pick<Config, 'databaseUrl'>,
  source: Source,
  dir: string,
  options: BackupOptions,
): Promise<Manifest> {
  if (config.databaseUrl !== undefined)
    throw new BackupError('DATABASE_URL is set. Take base backups with the tools of that PostgreSQL');
  return takeBackupOf(source, dir, 'base', options, async (contents, idsFile) => {
    const label = await withBaseBackup(source.connection, () =>
      copyFiles(path.join(source.dataDir, FOLDER), contents),
    ).catch(error => {
      // Code of a canceled statement: only waiting for the archive may take that long.
      if ((error as { code?: unknown }).code !== '57014') throw error;
      throw new BackupError(
        'The archive of KEYFOLD_WAL_ARCHIVE accepts no changes: is its disk full or not mounted?',
      );
    });
    if (label === null)
      throw new BackupError('There is no archive. Set KEYFOLD_WAL_ARCHIVE and restart the service first');
    await contents.write(
      LABEL,
      (async function* () {
        yield Buffer.from(label);
      })(),
    );
    return withSnapshot(source.connection, async snapshot => {
      await pipeline(snapshot.lines(NAMED_CONTAINERS), createWriteStream(idsFile, { mode: 0o600 }));
      const { migrations, serverVersion } = snapshot;
      return { migrations: [...migrations], postgres_version: serverVersion, sequences: [], tables: [] };
    });
  });
}

async function placeFiles({ dir, entries }: Pinned, target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  for (const folder of DATA_FOLDERS) await mkdir(path.join(target, folder), { recursive: true, mode: 0o700 });
  for await (const entry of entries()) {
    const name = path.relative(FOLDER, entry.path);
    if (!entry.path.startsWith(`${FOLDER}/`) || (entry.path !== LABEL && isLeftOut(name))) continue;
    const file = path.join(target, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(readEntry(dir, entry), createWriteStream(file, { mode: 0o600 }));
  }
  for (const [name, text] of Object.entries({ ...OWN_SETTINGS, 'recovery.signal': '' }))
    await writeFile(path.join(target, name), text, { mode: 0o600 });
}

/** Converts PostgreSQL's error about a failed recovery into a line for the operator. */
function explain(error: unknown, until: Date | null): unknown {
  const said = String(error);
  const refused = /keyfold archive: (.+)/.exec(said)?.[1];
  if (refused !== undefined) return new BackupError(refused);
  const time = until?.toISOString() ?? '';
  if (said.includes('recovery ended before configured recovery target'))
    return new BackupError(`The archive ends before ${time}. Use an earlier time, or latest`);
  if (/before consistent recovery point|before the consistent/.test(said))
    return new BackupError(`${time} is before the end of this base backup. Use an earlier backup`);
  if (/is not a child of this server's history|does not contain minimum recovery point/.test(said))
    return new BackupError(
      'This base backup belongs to a timeline that an earlier restore ended. Use a base backup from before that restore, or after it',
    );
  if (/could not locate (required checkpoint|a valid checkpoint)|invalid checkpoint record/.test(said))
    return new BackupError('The archive lacks the changes made during this base backup');
  return error;
}

/** The archive that a restore reads changes from, and the key for verifying their MACs. */
type MarkedArchive = { readonly place: ArchivePlace; readonly marks: ArchiveMarks };

/** Opens the archive that belongs to restored files. Without a key nothing is verified. */
function openArchive(config: Config, archive: string, target: string, mayLack: boolean): MarkedArchive {
  const { dataDir } = config;
  const database = readIdentifier(target);
  const key = existsSync(masterKeyFile(dataDir)) ? loadMasterKey(dataDir) : null;
  const folder = findArchiveFolder(archive, target);
  return { place: { folder, database, dataDir }, marks: { key, database, mayLack } };
}

const checkedBy = ({ key, mayLack }: ArchiveMarks): CheckedMarks =>
  key === null ? 'none' : mayLack ? 'wrong' : 'all';

/**
 * Returns whether every change that is read has a MAC under a key that this server had before. A
 * key that came with the backup proves nothing, because one attacker could have written both.
 */
export const isArchiveVouchedFor = (isBackupMarked: boolean, marks: ArchiveMarks): boolean =>
  isBackupMarked && checkedBy(marks) === 'all';

function findLine(folder: string, until: Date | null, marks: ArchiveMarks): string {
  try {
    return findTimeline(folder, until, marks);
  } catch (error) {
    throw error instanceof ArchiveRefused ? new BackupError(error.message) : error;
  }
}

/**
 * Runs PostgreSQL on restored files until it has reached the target moment, ends what was open
 * then, and restores the containers that it refers to and the store lacks from the bucket's
 * versions or the archive.
 */
async function recover(
  target: string,
  { place, marks }: MarkedArchive,
  until: Date | null,
  blobs: BlobStore,
  logger: Logger,
): Promise<MissingBlobs> {
  const { folder } = place;
  const settings = recoverySettings(place, checkedBy(marks), until, findLine(folder, until, marks));
  const archived = await findArchivedContainers(folder);
  const postgres = await startEmbeddedPostgres(target, settings).catch(error => {
    throw explain(error, until);
  });
  const db = createDb(createPool(embeddedConnection(postgres.socketDir, 'postgres'), logger, 1));
  try {
    await revokeAfterRestore(db, new Date());
    return await restoreMissingBlobs(db, blobs, archived, true);
  } finally {
    await db.destroy();
    await postgres.stop();
  }
}

/**
 * Saves the timeline history of a restored database, both where its changes were read and where
 * they will be archived. Throws BackupError when that fails: otherwise the next restore would find
 * two timelines with the same number.
 */
function keepHistories(
  target: string,
  { place: { folder }, marks }: MarkedArchive,
  walArchive: string | undefined,
): void {
  const next = walArchive === undefined ? folder : archiveFolderOf(walArchive, target);
  for (const one of new Set([folder, next]))
    try {
      mkdirSync(one, { recursive: true, mode: 0o700 });
      archiveHistories(target, one, new Date(), marks);
    } catch (error) {
      if (one !== next) continue;
      throw new BackupError(`${one} must be writable: ${(error as Error).message}`);
    }
}

export type RestoredTo = {
  readonly manifest: Manifest;
  readonly containers: number;
  /**
   * Number of containers that messages refer to and that are missing from the backup, the archive,
   * the store and its versions.
   */
  readonly missing: number;
  /** Whether the bucket denied access to its versions. */
  readonly isRefused: boolean;
  readonly isMarked: boolean;
  /** Whether every change that was read had a MAC under a key that was here before. */
  readonly isArchiveMarked: boolean;
};

/**
 * Restores the embedded database to a moment, or to the end of the archive, from an earlier base
 * backup. On failure, rejects with BackupError and leaves no database.
 */
export async function restoreTo(
  config: Config,
  logger: Logger,
  dir: string,
  archive: string,
  until: Date | null,
  { isMarkless }: Pick<RestoreOptions, 'isMarkless'>,
): Promise<RestoredTo> {
  if (config.databaseUrl !== undefined)
    throw new BackupError('DATABASE_URL is set, but base backups work only with the embedded PostgreSQL');
  const manifest = await verifyBackup(dir);
  if (manifest.kind !== 'base')
    throw new BackupError(
      `${dir} contains a backup of tables, which has no other points in time. Use restore`,
    );
  requireKnownSchema(manifest);
  const unlock = lockDataDir(config.dataDir);
  const target = path.join(config.dataDir, FOLDER);
  const draft = `${target}.part`;
  try {
    requireUnmoved(target);
    if (existsSync(target)) throw new BackupError(`${target} already exists. Move it aside first`);
    const isMarked = await settleMasterKey(dir, manifest, config.dataDir, { isKeyless: false, isMarkless });
    const blobs = await openBlobs(config);
    const fromBackup = await withPinned(dir, manifest.contents_sha256, config.dataDir, async backup => {
      await placeFiles(backup, draft);
      return putContainersBack(backup, blobs);
    });
    const source = openArchive(config, archive, draft, isMarkless);
    const { broughtBack, gone, isRefused } = await recover(draft, source, until, blobs, logger);
    keepHistories(draft, source, config.walArchive);
    await rename(draft, target);
    const isArchiveMarked = isArchiveVouchedFor(isMarked, source.marks);
    const containers = fromBackup + broughtBack;
    return { manifest, containers, missing: gone, isRefused, isMarked, isArchiveMarked };
  } finally {
    await rm(draft, { recursive: true, force: true });
    unlock();
  }
}

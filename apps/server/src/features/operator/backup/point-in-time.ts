/**
 * Base backups of the embedded PostgreSQL, and restores from one and the archive of changes to any moment after it. For a
 * PostgreSQL of the operator's own its own tools do this.
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

/** Copies a running server's files. One that goes meanwhile is made good by the archive. */
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

/** Takes a base backup. Rejects with BackupError when there is no archive, or no embedded PostgreSQL. */
export function takeBaseBackup(
  config: Pick<Config, 'databaseUrl'>,
  source: Source,
  dir: string,
  options: BackupOptions,
): Promise<Manifest> {
  if (config.databaseUrl !== undefined)
    throw new BackupError('DATABASE_URL is set: take base backups with the tools of that PostgreSQL');
  return takeBackupOf(source, dir, 'base', options, async (contents, idsFile) => {
    const label = await withBaseBackup(source.connection, () =>
      copyFiles(path.join(source.dataDir, FOLDER), contents),
    ).catch(error => {
      // A statement that was given up: waiting for the archive is the only one that may take long.
      if ((error as { code?: unknown }).code !== '57014') throw error;
      throw new BackupError(
        'The archive of KEYFOLD_WAL_ARCHIVE takes no changes: is its disk full, or not mounted?',
      );
    });
    if (label === null)
      throw new BackupError('There is no archive: set KEYFOLD_WAL_ARCHIVE and start the service anew first');
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

/** What PostgreSQL says of a recovery that cannot be, as a line for the operator. */
function explain(error: unknown, until: Date | null): unknown {
  const said = String(error);
  const refused = /keyfold archive: (.+)/.exec(said)?.[1];
  if (refused !== undefined) return new BackupError(refused);
  const time = until?.toISOString() ?? '';
  if (said.includes('recovery ended before configured recovery target'))
    return new BackupError(`The archive does not reach ${time}: take an earlier time, or the word latest`);
  if (/before consistent recovery point|before the consistent/.test(said))
    return new BackupError(`${time} is before the end of this base backup: take an earlier backup`);
  if (/is not a child of this server's history|does not contain minimum recovery point/.test(said))
    return new BackupError(
      'This base backup belongs to a line of changes that was left by an earlier restore: take one from before that, or after it',
    );
  if (/could not locate (required checkpoint|a valid checkpoint)|invalid checkpoint record/.test(said))
    return new BackupError('The archive lacks the changes made during this base backup');
  return error;
}

/** What a restore reads changes from, and by which key they are to be marked. */
type MarkedArchive = { readonly place: ArchivePlace; readonly marks: ArchiveMarks };

/** Of files that were put back: the archive that belongs to them. Where there is no key nothing is checked. */
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
 * Whether every change that is read has a mark by a key that was this server's before: one that came along in the backup vouches
 * for nothing, whoever wrote both.
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
 * Runs PostgreSQL on restored files until it has come to the moment, ends what was open then, and brings the containers that it
 * names and the store lacks out of the bucket's versions or the archive.
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
 * Keeps the history of the line that a restored database goes on with, where its changes were read and where they will go.
 * Rejects with BackupError when it cannot: the next restore would find two lines under one number.
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
  /** Containers that mail refers to and that are neither in the backup nor in the archive, the store or its versions. */
  readonly missing: number;
  /** Whether the bucket let us not look at its versions. */
  readonly isRefused: boolean;
  readonly isMarked: boolean;
  /** Whether every change that was read had a mark by a key that was here before. */
  readonly isArchiveMarked: boolean;
};

/**
 * Makes the embedded database as it was at a moment, or at the end of the archive, from a base backup before it. Rejects
 * with BackupError, and leaves no database, when it cannot be.
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
    throw new BackupError('DATABASE_URL is set: a base backup is for the embedded PostgreSQL');
  const manifest = await verifyBackup(dir);
  if (manifest.kind !== 'base')
    throw new BackupError(`${dir} holds a backup of tables: use restore, which knows no time`);
  requireKnownSchema(manifest);
  const unlock = lockDataDir(config.dataDir);
  const target = path.join(config.dataDir, FOLDER);
  const draft = `${target}.part`;
  try {
    requireUnmoved(target);
    if (existsSync(target)) throw new BackupError(`${target} is there: put it aside first`);
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

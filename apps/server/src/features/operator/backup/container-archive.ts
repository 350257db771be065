/**
 * Containers beside the WAL archive: needed to restore to a point in time when the disk of the blob
 * store is lost too. One job copies new containers, which never change; another removes those that
 * no restorable moment needs. Does nothing with a bucket: the bucket's versions hold what was
 * removed (missing-blobs.ts), and if it keeps none, the server logs a warning on start.
 *
 * [Note: Archived containers] Rows of containers are committed before their bytes, and a container
 * that got none within a day gets none (features/mailbox/messages/containers.ts). So each run
 * checks the containers of the last day. The first run of a process and the daily cleanup check all
 * of them, so that ones deleted from the archive by mistake are copied again. A removed container
 * gets a marker. It is deleted once the marker is older than the oldest WAL segment, with a day of
 * margin, because then no base backup in use knows it.
 */
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFileBlobs } from '../../../adapters/blob-files.ts';
import { isBlobId } from '../../../adapters/blob-id.ts';
import type { FormerStore } from '../../../adapters/blob-move.ts';
import type { BlobStore } from '../../../adapters/blobs.ts';
import { ARCHIVED_CONTAINER_SPARED_MS, ORPHAN_BLOB_KEPT_MS } from '../../../base/limits.ts';
import type { Config } from '../../../config/config.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db } from '../../../db/pool.ts';
import { archiveFolderOf } from '../../../db/wal-archive.ts';
import { containersSince, withoutContainer } from './container-rows.ts';
import { forEach } from './for-each.ts';

const FOLDER = 'containers';
const MARKS = 'gone';
/**
 * Suffix of a marker's name after the id: if a folder was replaced by a link, no container is
 * mistaken for a marker.
 */
const MARK_END = '.gone';
const AT_ONCE = 4;
const IDS_AT_ONCE = 1_000;
/** A WAL segment, or the label of a base backup, as wal-archive.ts stores them. */
const SEGMENT = /^[0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?\.gz$/;

type ArchiveDeps = Pick<Deps, 'blobs' | 'clock' | 'db' | 'logger'> & {
  readonly config: Pick<Config, 'dataDir' | 's3' | 'walArchive'>;
};

/**
 * Returns the folder of a database within the archive, or null where no containers are kept beside
 * it.
 */
function findPlace({ config }: ArchiveDeps): string | null {
  const { walArchive, s3, dataDir } = config;
  return walArchive === undefined || s3 !== undefined
    ? null
    : archiveFolderOf(walArchive, path.join(dataDir, 'postgres'));
}

const openArchive = (place: string): Promise<FormerStore> => createFileBlobs(path.join(place, FOLDER));

async function copy(from: BlobStore, to: BlobStore, id: string): Promise<boolean> {
  // Not there yet, or already removed.
  if ((await to.has(id)) || !(await from.has(id))) return false;
  try {
    await to.put(id, await from.get(id));
  } catch (error) {
    if (await from.has(id)) throw error;
    return false;
  }
  return true;
}

async function copyAll({ db, blobs }: ArchiveDeps, archive: BlobStore, since: Date | null): Promise<number> {
  let copied = 0;
  await forEach(containersSince(db, since), AT_ONCE, async id => {
    if (await copy(blobs, archive, id)) copied += 1;
  });
  return copied;
}

/**
 * When a process last checked the containers of a database. Before the first check, all of them are
 * checked.
 */
const lookedAt = new WeakMap<Db, Date>();

/**
 * Warns once that the WAL archive has none of a bucket's containers and the bucket keeps no
 * versions instead.
 */
async function tellUnversioned({ blobs, clock, config, db, logger }: ArchiveDeps): Promise<void> {
  if (config.walArchive === undefined || blobs.versions === undefined || lookedAt.has(db)) return;
  // A bucket that is unavailable, or does not answer the question, is not asked again.
  lookedAt.set(db, clock.now());
  if (!(await blobs.versions.areKept().catch(() => true)))
    logger.warn(
      'bucket keeps no versions, so a restore to a point in time lacks containers that were removed later',
    );
}

/**
 * Copies containers that the archive lacks. Returns how many. Rejects while the archive accepts
 * none.
 */
export async function archiveContainers(deps: ArchiveDeps): Promise<number> {
  const place = findPlace(deps);
  if (place === null) {
    await tellUnversioned(deps);
    return 0;
  }
  // If a disk is not mounted, a folder of the same name must not replace it.
  if (!existsSync(place))
    throw Object.assign(new Error('The folder of the archive is missing: is its disk mounted?'), {
      code: 'archive_failing',
    });
  const startedAt = deps.clock.now();
  const before = lookedAt.get(deps.db);
  const since = before === undefined ? null : new Date(before.getTime() - ORPHAN_BLOB_KEPT_MS);
  const copied = await copyAll(deps, await openArchive(place), since);
  lookedAt.set(deps.db, startedAt);
  return copied;
}

/** Returns when the oldest WAL segment was archived, or null when there is none. */
async function findOldest(place: string): Promise<Date | null> {
  let oldest: Date | null = null;
  for (const name of await readdir(place)) {
    if (!SEGMENT.test(name)) continue;
    const { mtime } = await stat(path.join(place, name));
    if (oldest === null || mtime < oldest) oldest = mtime;
  }
  return oldest;
}

const timeOf = async (file: string): Promise<Date | null> =>
  (await lstat(file).catch(() => null))?.mtime ?? null;

async function* inBatches(ids: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const id of ids) {
    // Other programs put their own files into folders.
    if (!isBlobId(id)) continue;
    if (batch.push(id) < IDS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Marks archived containers that were removed, deletes those that no restorable moment needs, and
 * copies all others that the archive lacks. Returns how many were deleted.
 */
export async function tidyContainerArchive(deps: ArchiveDeps): Promise<number> {
  const place = findPlace(deps);
  if (place === null || !existsSync(place)) return 0;
  const archive = await openArchive(place);
  const marks = path.join(place, FOLDER, MARKS);
  await mkdir(marks, { recursive: true, mode: 0o700 });
  const oldest = await findOldest(place);
  const before = new Date((oldest?.getTime() ?? 0) - ARCHIVED_CONTAINER_SPARED_MS);
  let removed = 0;
  for await (const ids of inBatches(archive.list()))
    for (const id of await withoutContainer(deps.db, ids)) {
      const mark = path.join(marks, `${id}${MARK_END}`);
      const goneSince = await timeOf(mark);
      if (goneSince === null) {
        await writeFile(mark, '', { mode: 0o600, flag: 'wx' });
        await utimes(mark, deps.clock.now(), deps.clock.now());
      } else if (goneSince < before) {
        await archive.remove(id);
        await rm(mark, { force: true });
        removed += 1;
      }
    }
  // A container that a restore brought back is no longer removed.
  const marked = (await readdir(marks)).filter(name => name.endsWith(MARK_END));
  for await (const ids of inBatches(marked.map(name => name.slice(0, -MARK_END.length)))) {
    const still = new Set(await withoutContainer(deps.db, ids));
    for (const id of ids) if (!still.has(id)) await rm(path.join(marks, `${id}${MARK_END}`), { force: true });
  }
  await copyAll(deps, archive, null);
  return removed;
}

/** Returns the containers beside a WAL archive, for a restore, or null when there are none. */
export const findArchivedContainers = async (place: string): Promise<BlobStore | null> =>
  existsSync(path.join(place, FOLDER)) ? openArchive(place) : null;

/** Copies an archived container into a store that lacks it. Returns whether that was possible. */
export const bringBack = (archive: BlobStore | null, blobs: BlobStore, id: string): Promise<boolean> =>
  archive === null ? Promise.resolve(false) : copy(archive, blobs, id);

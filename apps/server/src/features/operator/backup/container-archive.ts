/**
 * The containers beside the archive of changes: what a restore to a moment needs of them when the disk of the store is gone too.
 * A job copies new ones, which never change; another lets go of those that no moment needs which can still be restored. With a
 * bucket there is none of this: its versions hold what was removed (lacking-containers.ts), and where it keeps none, a start says so.
 *
 * [Note: Archived containers] Rows of containers are committed before their bytes, and one that got none within a day gets none
 * (features/mailbox/messages/containers.ts). So each run looks at those of the last day, and the first of a process at all of them, as
 * does the daily tidying: what was taken from the archive by mistake comes back. A container that is no more is marked; it goes
 * once the mark is older than the oldest segment of changes, with a day between, for then no base backup in use knows it.
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
/** Behind the id in a mark's name: in a folder that somebody made a link of, no container is taken for a mark. */
const MARK_END = '.gone';
const AT_ONCE = 4;
const IDS_AT_ONCE = 1_000;
/** A segment of changes, or the label of a base backup, as wal-archive.ts has them kept. */
const SEGMENT = /^[0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?\.gz$/;

type ArchiveDeps = Pick<Deps, 'blobs' | 'clock' | 'db' | 'logger'> & {
  readonly config: Pick<Config, 'dataDir' | 's3' | 'walArchive'>;
};

/** The folder of a database within the archive; null where no containers are kept beside it. */
function findPlace({ config }: ArchiveDeps): string | null {
  const { walArchive, s3, dataDir } = config;
  return walArchive === undefined || s3 !== undefined
    ? null
    : archiveFolderOf(walArchive, path.join(dataDir, 'postgres'));
}

const openArchive = (place: string): Promise<FormerStore> => createFileBlobs(path.join(place, FOLDER));

async function copy(from: BlobStore, to: BlobStore, id: string): Promise<boolean> {
  // Not there yet, or no more.
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

/** When a process last looked at the containers of a database; before it has, all of them are looked at. */
const lookedAt = new WeakMap<Db, Date>();

/** Says once that the archive of changes has none of a bucket's containers, and the bucket no versions in its place. */
async function tellUnversioned({ blobs, clock, config, db, logger }: ArchiveDeps): Promise<void> {
  if (config.walArchive === undefined || blobs.versions === undefined || lookedAt.has(db)) return;
  // A bucket that is away, or does not say, is asked no further.
  lookedAt.set(db, clock.now());
  if (!(await blobs.versions.areKept().catch(() => true)))
    logger.warn('the bucket keeps no versions: a restore to a point in time lacks what is removed after it');
}

/** Copies containers that the archive lacks; how many. Rejects while the archive takes none. */
export async function archiveContainers(deps: ArchiveDeps): Promise<number> {
  const place = findPlace(deps);
  if (place === null) {
    await tellUnversioned(deps);
    return 0;
  }
  // A disk that is not mounted is not to be made up for by a folder of the same name.
  if (!existsSync(place))
    throw Object.assign(new Error('There is no folder of the archive: is its disk mounted?'), {
      code: 'archive_failing',
    });
  const startedAt = deps.clock.now();
  const before = lookedAt.get(deps.db);
  const since = before === undefined ? null : new Date(before.getTime() - ORPHAN_BLOB_KEPT_MS);
  const copied = await copyAll(deps, await openArchive(place), since);
  lookedAt.set(deps.db, startedAt);
  return copied;
}

/** When the oldest segment of changes was archived; null when there is none. */
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
    // Others put files of their own into folders.
    if (!isBlobId(id)) continue;
    if (batch.push(id) < IDS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Marks archived containers that are no more, removes those that no moment needs which can be restored, and copies what the archive
 * lacks of all others; how many were removed.
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
  // One that a restore brought back is no more gone.
  const marked = (await readdir(marks)).filter(name => name.endsWith(MARK_END));
  for await (const ids of inBatches(marked.map(name => name.slice(0, -MARK_END.length)))) {
    const still = new Set(await withoutContainer(deps.db, ids));
    for (const id of ids) if (!still.has(id)) await rm(path.join(marks, `${id}${MARK_END}`), { force: true });
  }
  await copyAll(deps, archive, null);
  return removed;
}

/** The containers beside an archive of changes, for a restore; null when there are none. */
export const findArchivedContainers = async (place: string): Promise<BlobStore | null> =>
  existsSync(path.join(place, FOLDER)) ? openArchive(place) : null;

/** Puts one of them into a store that lacks it; whether it could be. */
export const bringBack = (archive: BlobStore | null, blobs: BlobStore, id: string): Promise<boolean> =>
  archive === null ? Promise.resolve(false) : copy(archive, blobs, id);

/**
 * Restores containers that a database refers to and its store lacks, after the database was
 * restored to an earlier moment: they were removed since. A bucket with versions still has them,
 * and so does the archive of containers stored as files.
 *
 * Beside a running service this happens under a hold
 * (features/mailbox/messages/container-holds.ts), so that a container that the service removes in
 * the meantime is not mistaken for a lost one and restored permanently.
 */
import { type BlobStore, BlobStoreUnavailable, BlobVersionsRefused } from '../../../adapters/blobs.ts';
import { openBlobs } from '../../../adapters/open-files.ts';
import type { Logger } from '../../../base/logger.ts';
import type { Config } from '../../../config/config.ts';
import { openService } from '../../../db/open.ts';
import { createDb, createPool, type Db } from '../../../db/pool.ts';
import { holdContainers } from '../../mailbox/messages/index.ts';
import { bringBack } from './container-archive.ts';
import { namedContainers } from './container-rows.ts';
import { BackupError } from './failure.ts';
import { forEach } from './for-each.ts';

/** A bucket answers slowly, but serves many requests at once. */
const AT_ONCE = 8;
/** PostgreSQL's error code for a write during recovery or in read-only mode. */
const READ_ONLY = '25006';

export type MissingBlobs = {
  /** Number of containers that the database refers to. */
  readonly named: number;
  readonly broughtBack: number;
  readonly gone: number;
  /**
   * Whether the bucket denied listing or restoring removed versions, or did not answer: some
   * containers counted as gone may exist.
   */
  readonly isRefused: boolean;
};

/**
 * Restores each container that a database refers to and its store lacks. Rejects when the store is
 * unavailable. If only its versions are unavailable and `isLenient` is set, they count as refused:
 * the data restored so far is worth more than those containers.
 */
export async function restoreMissingBlobs(
  db: Db,
  blobs: BlobStore,
  archived: BlobStore | null,
  isLenient: boolean,
): Promise<MissingBlobs> {
  let [named, broughtBack, gone, isRefused] = [0, 0, 0, false];
  const isInVersions = async (id: string): Promise<boolean> => {
    if (blobs.versions === undefined || isRefused) return false;
    try {
      return await blobs.versions.bringBack(id);
    } catch (error) {
      const isBorne = isLenient && error instanceof BlobStoreUnavailable;
      if (!(isBorne || error instanceof BlobVersionsRefused)) throw error;
      isRefused = true;
      return false;
    }
  };
  await forEach(namedContainers(db), AT_ONCE, async id => {
    named += 1;
    if (await blobs.has(id)) return;
    if ((await isInVersions(id)) || (await bringBack(archived, blobs, id))) broughtBack += 1;
    else gone += 1;
  });
  return { named, broughtBack, gone, isRefused };
}

/**
 * Returns whether the configured bucket keeps removed objects; null without a bucket, and when the
 * bucket does not answer the question.
 */
export async function findKeepsVersions(
  config: Pick<Config, 's3' | 'dataDir' | 'isMovingFiles'>,
): Promise<boolean | null> {
  const { versions } = await openBlobs(config);
  return versions === undefined ? null : versions.areKept().catch(() => null);
}

/**
 * Restores containers that the configured database refers to and its bucket removed; the service
 * may be running. Rejects with BackupError when there is no bucket, or the database is read-only.
 */
export async function restoreContainers(config: Config, logger: Logger): Promise<MissingBlobs> {
  const noBucket = new BackupError(
    'No bucket is configured. Set S3_ENDPOINT and the other S3_ settings. Containers that are files are restored by restore or restore-to',
  );
  // Before a store is opened, because opening would create its folders.
  if (config.s3 === undefined) throw noBucket;
  const blobs = await openBlobs(config);
  if (blobs.versions === undefined) throw noBucket;
  // A missing bucket has none of the containers and would appear to have lost all.
  await blobs.check().catch(error => {
    throw new BackupError(`The bucket is unavailable: ${(error as Error).message}`);
  });
  try {
    const database = await openService(config, logger);
    const db = createDb(createPool(database.connection, logger, 2));
    try {
      return await holdContainers(db, () => restoreMissingBlobs(db, blobs, null, false));
    } finally {
      await db.destroy();
      await database.close();
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== READ_ONLY) throw error;
    throw new BackupError('The database is still read-only. Let its recovery finish first (promote it)');
  }
}

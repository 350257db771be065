/**
 * Containers that a database names and its store lacks, after the database was taken back to a moment: they were removed since.
 * A bucket with versions still has them, and so has the archive of containers that lie as files.
 *
 * Beside a running service it is done under a hold (features/mailbox/messages/container-holds.ts): what the service would remove meanwhile
 * is not taken for lost and brought back for good.
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

/** A bucket answers slowly, and to many at once. */
const AT_ONCE = 8;
/** PostgreSQL's refusal to write while it recovers, or where it was told to only read. */
const READ_ONLY = '25006';

export type MissingBlobs = {
  /** Containers that the database names. */
  readonly named: number;
  readonly broughtBack: number;
  readonly gone: number;
  /** Whether the bucket let us neither see nor bring back what it removed, or did not answer: some that are counted as gone may be there. */
  readonly isRefused: boolean;
};

/**
 * Brings back each container that a database names and its store lacks. Rejects when the store cannot be asked; where only its
 * versions cannot, and `isLenient`, they count as refused: what was restored so far is worth more than they are.
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

/** Whether the bucket of a configuration keeps what is removed; null without a bucket, and when it does not say. */
export async function findKeepsVersions(
  config: Pick<Config, 's3' | 'dataDir' | 'isMovingFiles'>,
): Promise<boolean | null> {
  const { versions } = await openBlobs(config);
  return versions === undefined ? null : versions.areKept().catch(() => null);
}

/**
 * Brings back what the database of a configuration names and its bucket removed; the service may run or not. Rejects with
 * BackupError when there is no bucket, or the database takes no changes.
 */
export async function restoreContainers(config: Config, logger: Logger): Promise<MissingBlobs> {
  const noBucket = new BackupError(
    'There is no bucket: set S3_ENDPOINT and what belongs to it. Containers that lie as files come back by restore, or by restore-to',
  );
  // Before a store is opened, which would make its folders.
  if (config.s3 === undefined) throw noBucket;
  const blobs = await openBlobs(config);
  if (blobs.versions === undefined) throw noBucket;
  // A bucket that is not there has none of them, and would seem to have lost all.
  await blobs.check().catch(error => {
    throw new BackupError(`The bucket cannot be used: ${(error as Error).message}`);
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
    throw new BackupError('The database takes no changes yet: let its recovery end first (promote it)');
  }
}

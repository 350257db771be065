/**
 * What a bucket with versions keeps of containers that were removed: the last version, hidden behind a delete marker. With the
 * marker gone the container is there again, as it was and without a copy. Which are to come back is the caller's knowledge, and
 * how long versions are kept the bucket's lifecycle rule's (docs/operations.md, Backups).
 */
import type { S3mini } from 's3mini';
import { BlobStoreUnavailable, type BlobVersions, BlobVersionsRefused } from './blobs.ts';

const FORBIDDEN = 403;
/** What stores say that know no versions: not understood, not allowed for anybody, not implemented. */
const WITHOUT_VERSIONS: readonly unknown[] = [400, 405, 501];

/** What a store answers about versions; `none` where it knows of none. */
async function ask<T>(question: () => Promise<T>, none: T): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    if (cause instanceof BlobStoreUnavailable) throw cause;
    const { status } = cause as { status?: unknown };
    if (WITHOUT_VERSIONS.includes(status)) return none;
    if (status === FORBIDDEN) throw new BlobVersionsRefused('The bucket refuses its versions', { cause });
    throw new BlobStoreUnavailable('The object store does not answer as it should', { cause });
  }
}

/** The versions of a bucket, whose objects are named by `keyOf`. */
export const createS3Versions = (s3: S3mini, keyOf: (id: string) => string): BlobVersions => ({
  areKept: () => ask(async () => (await s3.getBucketVersioning()) === 'Enabled', false),
  bringBack: id => {
    const key = keyOf(id);
    return ask(async () => {
      const versions = (await s3.listObjectVersions(key)) ?? [];
      if (versions.every(({ IsDeleteMarker }) => IsDeleteMarker === true)) return false;
      // All versions of a container have the same bytes, so each marker may go. Without its id one more would be made.
      for (const { IsDeleteMarker, VersionId } of versions)
        if (IsDeleteMarker === true && VersionId !== undefined)
          await s3.deleteObject({ key, versionId: VersionId });
      return (await s3.objectExists(key)) === true;
    }, false);
  },
});

/**
 * Restores removed blobs in a versioned bucket: the last version remains, hidden behind a delete
 * marker, and deleting the marker makes the blob visible again without a copy. The caller decides
 * which blobs to restore; the bucket's lifecycle rule decides how long versions are kept
 * (docs/operations.md, Backups).
 */
import type { S3mini } from 's3mini';
import { BlobStoreUnavailable, type BlobVersions, BlobVersionsRefused } from './blobs.ts';

const FORBIDDEN = 403;
/** Responses of stores without versioning: bad request, method not allowed, not implemented. */
const WITHOUT_VERSIONS: readonly unknown[] = [400, 405, 501];

/** Returns a store's response about versions, or `none` when it does not support them. */
async function ask<T>(question: () => Promise<T>, none: T): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    if (cause instanceof BlobStoreUnavailable) throw cause;
    const { status } = cause as { status?: unknown };
    if (WITHOUT_VERSIONS.includes(status)) return none;
    if (status === FORBIDDEN)
      throw new BlobVersionsRefused('The bucket denies access to object versions', { cause });
    throw new BlobStoreUnavailable('The object store sent an unexpected response', { cause });
  }
}

/** Accesses the versions in a bucket; `keyOf` returns the key of a blob. */
export const createS3Versions = (s3: S3mini, keyOf: (id: string) => string): BlobVersions => ({
  areKept: () => ask(async () => (await s3.getBucketVersioning()) === 'Enabled', false),
  bringBack: id => {
    const key = keyOf(id);
    return ask(async () => {
      const versions = (await s3.listObjectVersions(key)) ?? [];
      if (versions.every(({ IsDeleteMarker }) => IsDeleteMarker === true)) return false;
      // All versions of a blob have the same bytes, so every marker may be deleted. Without the
      // marker's id, the call would create another marker.
      for (const { IsDeleteMarker, VersionId } of versions)
        if (IsDeleteMarker === true && VersionId !== undefined)
          await s3.deleteObject({ key, versionId: VersionId });
      return (await s3.objectExists(key)) === true;
    }, false);
  },
});

/**
 * The store that a configuration means: a bucket, files under the data directory, or both while files move to the bucket.
 */
import type { Config } from '../config.ts';
import { createFileBlobs } from './blob-files.ts';
import { createMovingBlobs } from './blob-move.ts';
import { createS3Blobs } from './blob-s3.ts';
import type { BlobStore } from './blobs.ts';

/** Opens it. Rejects when the folder of the files cannot be made. */
export const openBlobs = async ({
  s3,
  dataDir,
  isMovingFiles,
}: Pick<Config, 's3' | 'dataDir' | 'isMovingFiles'>): Promise<BlobStore> => {
  if (s3 === undefined) return createFileBlobs(dataDir);
  const bucket = createS3Blobs(s3);
  return isMovingFiles ? createMovingBlobs(await createFileBlobs(dataDir), bucket) : bucket;
};

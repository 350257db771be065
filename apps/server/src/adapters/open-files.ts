/**
 * Opens the stores that a configuration selects: a bucket, files under the data directory, or both
 * while files move to the bucket.
 */

import { StartRefused } from '../base/start-refused.ts';
import type { Config } from '../config/config.ts';
import { createFileBlobs } from './blob-files.ts';
import { createMovingBlobs } from './blob-move.ts';
import { createS3Blobs } from './blob-s3.ts';
import type { BlobStore } from './blobs.ts';
import type { ImportFiles } from './import-files.ts';
import { createImportFolder } from './import-files-disk.ts';
import { createImportBucket } from './import-files-s3.ts';
import { openBucket } from './s3-bucket.ts';

/** Opens the store of encrypted blobs. Rejects when the folder for the files cannot be created. */
export async function openBlobs({
  s3,
  dataDir,
  isMovingFiles,
}: Pick<Config, 's3' | 'dataDir' | 'isMovingFiles'>): Promise<BlobStore> {
  if (s3 === undefined) return createFileBlobs(dataDir);
  const bucket = createS3Blobs(s3);
  return isMovingFiles ? createMovingBlobs(await createFileBlobs(dataDir), bucket) : bucket;
}

/** Time that a start waits for the bucket's response, in milliseconds. */
const BUCKET_TIMEOUT_MS = 5_000;

/**
 * Rejects with StartRefused when the bucket reports that it does not exist or that this account may
 * not use it. A bucket that does not respond may recover: the service starts, and /ready reports
 * it.
 */
export async function requireBucket({ s3 }: Pick<Config, 's3'>): Promise<void> {
  if (s3 === undefined) return;
  const bucket = openBucket(s3, (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(BUCKET_TIMEOUT_MS) }),
  );
  if (await bucket.bucketExists().catch(() => true)) return;
  throw new StartRefused(
    `The bucket ${s3.bucket} at ${s3.endpoint} does not exist, or S3_ACCESS_KEY may not use it: create it, or correct S3_BUCKET`,
  );
}

/** Opens the store of import files. */
export const openImportFiles = ({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): ImportFiles =>
  s3 === undefined ? createImportFolder(dataDir) : createImportBucket(s3, dataDir);

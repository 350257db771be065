/**
 * Stores encrypted blobs in an existing S3 bucket. Content is streamed in parts, with at most two
 * in memory. An object appears when its last part is confirmed, and a failed upload is aborted. The
 * bucket's own lifecycle rule removes parts of uploads that a crash left open (docs/storage.md).
 */
import { Readable } from 'node:stream';
import type { UploadPart } from 's3mini';
import { blobPath } from './blob-id.ts';
import type { BlobStore } from './blobs.ts';
import { CONTENT_TYPE, flowing, inParts, openBucket, type S3Options, SILENCE_MAX_MS } from './s3-bucket.ts';
import { createS3Fetch } from './s3-fetch.ts';
import { createS3Versions } from './s3-versions.ts';

/** Bytes per part; S3 requires at least 5 MiB for all parts but the last. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Opens a store in a bucket, with objects under `blobs/`. Tests pass another `fetch` and shorter
 * timeouts.
 */
export function createS3Blobs(
  options: S3Options,
  fetch: typeof globalThis.fetch = createS3Fetch(),
  silenceMs: number = SILENCE_MAX_MS,
): BlobStore {
  const s3 = openBucket(options, fetch);
  const keyOf = (id: string) => `blobs/${blobPath(id)}`;

  const putParts = async (key: string, first: Buffer, rest: AsyncGenerator<Buffer>): Promise<number> => {
    const uploadId = await s3.getMultipartUploadId(key, CONTENT_TYPE);
    try {
      const parts: UploadPart[] = [await s3.uploadPart(key, uploadId, first, 1)];
      let sizeBytes = first.length;
      for await (const part of rest) {
        parts.push(await s3.uploadPart(key, uploadId, part, parts.length + 1));
        sizeBytes += part.length;
      }
      await s3.completeMultipartUpload(key, uploadId, parts);
      return sizeBytes;
    } catch (error) {
      await rest.return(undefined);
      await s3.abortMultipartUpload(key, uploadId).catch(() => undefined);
      throw error;
    }
  };

  return {
    put: async (id, content) => {
      const key = keyOf(id);
      const parts = inParts(content, PART_BYTES);
      const { value: first = Buffer.alloc(0) } = await parts.next();
      if (first.length === PART_BYTES) return putParts(key, first, parts);
      await s3.putObject(key, first, CONTENT_TYPE);
      return first.length;
    },
    get: async (id, range) => {
      // s3mini's range excludes `rangeTo`; HTTP's range includes `end`.
      const response =
        range === undefined
          ? await s3.getObjectRaw(keyOf(id))
          : await s3.getObjectRaw(keyOf(id), false, range.start, range.end + 1);
      if (response.body === null) throw new Error('The object store sent a response without content');
      return Readable.from(flowing(response.body, silenceMs), { objectMode: false });
    },
    remove: async id => {
      await s3.deleteObject(keyOf(id));
    },
    has: async id => (await s3.objectExists(keyOf(id))) !== false,
    check: async () => {
      if (!(await s3.bucketExists())) throw new Error('The bucket does not exist or denies access');
    },
    versions: createS3Versions(s3, keyOf),
  };
}

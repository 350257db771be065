/**
 * Containers in an S3 bucket (made beforehand). Content is streamed in parts, of which two at most are in memory; an
 * object appears when its last part is confirmed, and an upload that fails is aborted. Parts of uploads that a crash
 * left open are for the bucket's own lifecycle rule to remove (docs/storage.md).
 */
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { S3mini, type UploadPart } from 's3mini';
import { blobPath } from './blob-id.ts';
import { type BlobStore, BlobStoreUnavailable } from './blobs.ts';
import { createS3Fetch } from './s3-fetch.ts';

export type S3Options = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
};

/** Bytes of one part; S3 wants at least 5 MiB of all but the last. */
const PART_BYTES = 8 * 1024 * 1024;
const CONTENT_TYPE = 'application/octet-stream';

/** Content cut into parts of exactly PART_BYTES, the last one shorter; nothing for no content. */
async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const piece of content) {
    let rest = piece;
    while (heldBytes + rest.length >= PART_BYTES) {
      const cut = PART_BYTES - heldBytes;
      yield Buffer.concat([...held, rest.subarray(0, cut)]);
      held = [];
      heldBytes = 0;
      rest = rest.subarray(cut);
    }
    if (rest.length > 0) {
      held.push(rest);
      heldBytes += rest.length;
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}

/** Content that nobody sends for this long has broken off. */
const SILENCE_MAX_MS = 20_000;

/** Content as it comes; it breaks off when it stops coming. */
async function* flowing(body: WebStream<Uint8Array>, silenceMs: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new BlobStoreUnavailable('The content broke off')), silenceMs);
      });
      const { done, value } = await Promise.race([reader.read(), silence]);
      clearTimeout(timer);
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw cause instanceof BlobStoreUnavailable
      ? cause
      : new BlobStoreUnavailable('The content broke off', { cause });
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => undefined);
  }
}

/** A store in a bucket, its objects under `blobs/`; tests have another `fetch` and less patience. */
export const createS3Blobs = (
  options: S3Options,
  fetch: typeof globalThis.fetch = createS3Fetch(),
  silenceMs: number = SILENCE_MAX_MS,
): BlobStore => {
  const s3 = new S3mini({
    fetch,
    accessKeyId: options.accessKey,
    secretAccessKey: options.secretKey,
    endpoint: `${options.endpoint.replace(/\/+$/, '')}/${options.bucket}`,
    region: options.region,
  });
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
      const parts = inParts(content);
      const { value: first = Buffer.alloc(0) } = await parts.next();
      if (first.length === PART_BYTES) return putParts(key, first, parts);
      await s3.putObject(key, first, CONTENT_TYPE);
      return first.length;
    },
    get: async (id, range) => {
      // s3mini's range ends before `rangeTo`, HTTP's with `end`.
      const response =
        range === undefined
          ? await s3.getObjectRaw(keyOf(id))
          : await s3.getObjectRaw(keyOf(id), false, range.start, range.end + 1);
      if (response.body === null) throw new Error('The object store answered without content');
      return Readable.from(flowing(response.body as WebStream<Uint8Array>, silenceMs), { objectMode: false });
    },
    remove: async id => {
      await s3.deleteObject(keyOf(id));
    },
    has: async id => (await s3.objectExists(keyOf(id))) !== false,
    check: async () => {
      if (!(await s3.bucketExists())) throw new Error('The bucket cannot be reached');
    },
  };
};

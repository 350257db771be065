/**
 * What the users of an S3 bucket share: the client that signs requests, splitting content into
 * parts for upload, and detecting stalled downloads. The layout of the keys is up to the users:
 * encrypted blobs (blob-s3.ts) and import files (import-files-s3.ts).
 */
import type { ReadableStream as WebStream } from 'node:stream/web';
import { S3mini } from 's3mini';
import { BlobStoreUnavailable } from './blobs.ts';

export type S3Options = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
};

export const CONTENT_TYPE = 'application/octet-stream';

/** Opens the bucket of a configuration; requests use `fetch`. */
export const openBucket = (options: S3Options, fetch: typeof globalThis.fetch): S3mini =>
  new S3mini({
    fetch,
    accessKeyId: options.accessKey,
    secretAccessKey: options.secretKey,
    endpoint: `${options.endpoint.replace(/\/+$/, '')}/${options.bucket}`,
    region: options.region,
  });

/**
 * Splits content into parts of an exact size, the last one shorter; yields nothing for empty
 * content.
 */
export async function* inParts(
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const piece of content) {
    let rest = piece;
    while (heldBytes + rest.length >= partBytes) {
      const cut = partBytes - heldBytes;
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

/** Time without data after which a transfer counts as broken off, in milliseconds. */
export const SILENCE_MAX_MS = 20_000;

/** Yields content as it arrives; throws BlobStoreUnavailable when it stalls. */
export async function* flowing(
  body: NonNullable<Response['body']>,
  silenceMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = (body as WebStream<Uint8Array>).getReader();
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new BlobStoreUnavailable('The object was incomplete')), silenceMs);
      });
      const { done, value } = await Promise.race([reader.read(), silence]);
      clearTimeout(timer);
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw cause instanceof BlobStoreUnavailable
      ? cause
      : new BlobStoreUnavailable('The object was incomplete', { cause });
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => undefined);
  }
}

/**
 * An S3 bucket as its users share it: the client that signs requests, content cut into parts on its way there, and content
 * that breaks off on its way back. What lies under which key is theirs: containers (blob-s3.ts), files of imports
 * (import-files-s3.ts).
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

/** The bucket that a configuration means; requests go out by `fetch`. */
export const openBucket = (options: S3Options, fetch: typeof globalThis.fetch): S3mini =>
  new S3mini({
    fetch,
    accessKeyId: options.accessKey,
    secretAccessKey: options.secretKey,
    endpoint: `${options.endpoint.replace(/\/+$/, '')}/${options.bucket}`,
    region: options.region,
  });

/** Content cut into parts of exactly so many bytes, the last one shorter; nothing for no content. */
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

/** Content that nobody sends for this long has broken off. */
export const SILENCE_MAX_MS = 20_000;

/** Content as it comes; throws BlobStoreUnavailable when it stops coming. */
export async function* flowing(
  body: NonNullable<Response['body']>,
  silenceMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = (body as WebStream<Uint8Array>).getReader();
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

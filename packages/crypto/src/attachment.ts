// Attachment containers, format KFA1 (docs/wire-format.md#attachments). A file is sealed once, in
// chunks, so that a file of any size streams through constant memory and any part of it can be
// fetched and opened alone. [Note: Chunk nonce] 7 zero bytes || u32be index || last. The index
// prevents reordering; `last` prevents truncation and appending. A file key seals one file only, so
// a nonce never repeats. A stream yields each chunk as soon as it is authenticated; only its normal
// end proves that the file is complete.

import { concatBytes, requireSize, wipe } from './bytes.ts';
import {
  type AttachmentMeta,
  CONTAINER_PREFIX_BYTES,
  containerHeaderBytes,
  headerBytesFor,
  sealHeader,
} from './container-header.ts';
import { CryptoError, failAs } from './errors.ts';
import { CHUNK_BYTES, FILE_KEY_BYTES, GCM_IV_BYTES, GCM_TAG_BYTES } from './params.ts';
import type { Bytes } from './platform.ts';
import type { GcmKey } from './primitives/port.ts';
import { getPrimitives, randomBytes } from './primitives/select.ts';
import { type ByteSource, rechunk } from './rechunk.ts';

export {
  type AttachmentMeta,
  CONTAINER_PREFIX_BYTES,
  containerHeaderBytes,
  type OpenedHeader,
  readAttachmentHeader,
} from './container-header.ts';
export { CHUNK_BYTES } from './params.ts';
export type { ByteSource } from './rechunk.ts';

const SEALED_CHUNK_BYTES = CHUNK_BYTES + GCM_TAG_BYTES;
const MAX_CHUNKS = 2 ** 32; // the nonce's index has 32 bits
const NOTHING = new Uint8Array(0);

/** Positions of the chunks in one container. */
export type ContainerLayout = {
  readonly chunkCount: number;
  readonly plainSizeBytes: number;
  /**
   * Returns the byte range of chunk `index` in the container, end exclusive, and whether it is the
   * last chunk.
   */
  chunk(index: number): { readonly startByte: number; readonly endByte: number; readonly isLast: boolean };
};

/** Returns a fresh random file key of 32 bytes, for one file only. The caller wipes it. */
export function createFileKey(): Bytes {
  return randomBytes(FILE_KEY_BYTES);
}

/**
 * Returns the size of the container that {@link sealAttachment} creates for a file of `meta.size`
 * bytes.
 */
export function sealedAttachmentBytes(meta: AttachmentMeta): number {
  const chunks = Math.max(1, Math.ceil(meta.size / CHUNK_BYTES));
  return headerBytesFor(meta) + meta.size + chunks * GCM_TAG_BYTES;
}

/**
 * Seals a file as a stream: first the header, then one piece for each chunk of 1 MiB. Errors of
 * `source` pass through. A source that is not exactly `meta.size` long fails with 'Failed to
 * encrypt message'.
 */
export async function* sealAttachment(input: {
  readonly messageKey: Uint8Array;
  readonly fileKey: Uint8Array;
  readonly meta: AttachmentMeta;
  readonly source: ByteSource;
}): AsyncGenerator<Bytes, void> {
  const { messageKey, fileKey, meta } = input;
  yield await failAs('encrypt_failed', () => sealHeader(messageKey, fileKey, meta));
  const key = await failAs('encrypt_failed', () => loadFileKey(fileKey));
  let index = 0;
  let seenBytes = 0;
  try {
    for await (const { bytes, isLast } of rechunk(input.source, CHUNK_BYTES)) {
      seenBytes += bytes.length;
      const isWrongSize = isLast ? seenBytes !== meta.size : seenBytes > meta.size;
      if (isWrongSize || index >= MAX_CHUNKS)
        throw new CryptoError('encrypt_failed', new RangeError('Source is not of the stated size'));
      const sealed = await failAs('encrypt_failed', () => key.seal(nonceOf(index, isLast), bytes, NOTHING));
      wipe(bytes);
      yield sealed;
      index++;
    }
  } finally {
    key.wipe();
  }
}

/**
 * Opens a container as a stream of authenticated chunks. Errors of `source` pass through. Damage,
 * reordering, truncation and appending fail with 'Failed to decrypt message'; the caller must then
 * discard the chunks already received.
 */
export async function* openAttachment(fileKey: Uint8Array, source: ByteSource): AsyncGenerator<Bytes, void> {
  const key = await failAs('decrypt_failed', () => loadFileKey(fileKey));
  let index = 0;
  try {
    for await (const { bytes, isLast } of rechunk(withoutHeader(source), SEALED_CHUNK_BYTES)) {
      yield await failAs('decrypt_failed', () => openWith(key, index, isLast, bytes));
      index++;
    }
  } finally {
    key.wipe();
  }
}

/** Seals an in-memory file into one container. */
export async function sealWholeAttachment(input: {
  readonly messageKey: Uint8Array;
  readonly fileKey: Uint8Array;
  readonly meta: AttachmentMeta;
  readonly bytes: Uint8Array;
}): Promise<Bytes> {
  const pieces: Bytes[] = [];
  for await (const piece of sealAttachment({ ...input, source: [input.bytes] })) pieces.push(piece);
  return concatBytes(...pieces);
}

/** Opens an in-memory container, all or nothing. */
export async function openWholeAttachment(fileKey: Uint8Array, container: Uint8Array): Promise<Bytes> {
  const pieces: Bytes[] = [];
  try {
    for await (const piece of openAttachment(fileKey, [container])) pieces.push(piece);
    return concatBytes(...pieces);
  } finally {
    wipe(...pieces);
  }
}

/**
 * Computes the chunk positions from the sizes of header and container. Throws 'Failed to decrypt
 * message' when no container can have that size. The sizes come from the server and are unverified
 * until the last chunk has opened.
 */
export function containerLayout(headerSizeBytes: number, containerSizeBytes: number): ContainerLayout {
  const sealedBytes = containerSizeBytes - headerSizeBytes;
  const chunkCount = Math.ceil(sealedBytes / SEALED_CHUNK_BYTES);
  const plainSizeBytes = sealedBytes - chunkCount * GCM_TAG_BYTES;
  const lastPlainBytes = plainSizeBytes - (chunkCount - 1) * CHUNK_BYTES;
  const isPossible =
    Number.isSafeInteger(sealedBytes) &&
    chunkCount >= 1 &&
    chunkCount <= MAX_CHUNKS &&
    (lastPlainBytes > 0 || (lastPlainBytes === 0 && chunkCount === 1));
  if (!isPossible) throw new CryptoError('decrypt_failed', new RangeError('Impossible container size'));
  return {
    chunkCount,
    plainSizeBytes,
    chunk: index => {
      if (!Number.isInteger(index) || index < 0 || index >= chunkCount)
        throw new CryptoError('decrypt_failed', new RangeError('No such chunk'));
      const startByte = headerSizeBytes + index * SEALED_CHUNK_BYTES;
      const endByte = Math.min(startByte + SEALED_CHUNK_BYTES, containerSizeBytes);
      return { startByte, endByte, isLast: index === chunkCount - 1 };
    },
  };
}

/** Opens one chunk fetched with the byte range from {@link containerLayout}. */
export async function openChunk(
  fileKey: Uint8Array,
  index: number,
  isLast: boolean,
  sealed: Uint8Array,
): Promise<Bytes> {
  return failAs('decrypt_failed', async () => {
    const key = await loadFileKey(fileKey);
    return openWith(key, index, isLast, sealed).finally(() => key.wipe());
  });
}

async function openWith(key: GcmKey, index: number, isLast: boolean, sealed: Uint8Array): Promise<Bytes> {
  if (index >= MAX_CHUNKS) throw new RangeError('Too many chunks');
  // Only an empty file may end in an empty chunk; all chunks but the last are full.
  const isRightSize = isLast
    ? sealed.length <= SEALED_CHUNK_BYTES && sealed.length >= GCM_TAG_BYTES + (index === 0 ? 0 : 1)
    : sealed.length === SEALED_CHUNK_BYTES;
  if (!isRightSize) throw new RangeError('Wrong chunk size');
  return key.open(nonceOf(index, isLast), sealed, NOTHING);
}

async function loadFileKey(fileKey: Uint8Array): Promise<GcmKey> {
  requireSize(fileKey, FILE_KEY_BYTES, 'File key');
  return (await getPrimitives()).aesGcm(fileKey);
}

// [Note: Chunk nonce]
function nonceOf(index: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(GCM_IV_BYTES);
  new DataView(nonce.buffer).setUint32(GCM_IV_BYTES - 5, index);
  nonce[GCM_IV_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

async function* withoutHeader(source: ByteSource): AsyncGenerator<Uint8Array, void> {
  let held: Uint8Array = NOTHING;
  let headerSizeBytes: number | null = null;
  let isPast = false;
  for await (const piece of source) {
    if (isPast) {
      yield piece;
      continue;
    }
    held = concatBytes(held, piece);
    if (headerSizeBytes === null && held.length >= CONTAINER_PREFIX_BYTES)
      headerSizeBytes = containerHeaderBytes(held);
    if (headerSizeBytes !== null && held.length >= headerSizeBytes) {
      isPast = true;
      yield held.subarray(headerSizeBytes);
    }
  }
  if (!isPast) throw new CryptoError('decrypt_failed', new RangeError('Container is too short'));
}

// The header of an attachment container (docs/wire-format.md#attachments). With the message key,
// the owner of a draft recovers the file key from it. Recipients get the file key from the payload
// instead and skip the header.
//   "KFA1" || u32be n || n bytes: IV12 || AES-256-GCM(message key, u16be m || file key || m bytes
//   JSON, AD = "KFA1")

import { concatBytes, requireSize, wipe } from './bytes.ts';
import { CryptoError, failAs } from './errors.ts';
import { openBox, sealBox } from './gcm-box.ts';
import {
  CONTAINER_MAGIC,
  CONTAINER_META_MAX_BYTES,
  FILE_KEY_BYTES,
  GCM_IV_BYTES,
  GCM_TAG_BYTES,
  MESSAGE_KEY_BYTES,
} from './params.ts';
import { type Bytes, decodeUtf8, encodeUtf8 } from './platform.ts';
import { getPrimitives } from './primitives/select.ts';

/**
 * Metadata a container holds about its file. Sealed in the header; untrusted until the reader
 * validates it.
 */
export type AttachmentMeta = {
  readonly name: string;
  readonly type: string;
  /** Plaintext bytes. */
  readonly size: number;
};

/** Opened header. The caller wipes `fileKey`. */
export type OpenedHeader = {
  readonly fileKey: Bytes;
  readonly meta: AttachmentMeta;
  /** Offset of the first chunk. */
  readonly headerSizeBytes: number;
};

const MAGIC = encodeUtf8(CONTAINER_MAGIC);
const LENGTH_BYTES = 4; // u32be n
const META_LENGTH_BYTES = 2; // u16be m
const BOX_MIN_BYTES = GCM_IV_BYTES + META_LENGTH_BYTES + FILE_KEY_BYTES + GCM_TAG_BYTES;
const BOX_MAX_BYTES = BOX_MIN_BYTES + CONTAINER_META_MAX_BYTES;

/** Number of bytes that {@link containerHeaderBytes} needs. */
export const CONTAINER_PREFIX_BYTES = MAGIC.length + LENGTH_BYTES;

/**
 * Returns the size of the whole header, from the first 8 bytes of a container. Throws 'Failed to
 * decrypt message' if they are not a container's.
 */
export function containerHeaderBytes(prefix: Uint8Array): number {
  if (prefix.length < CONTAINER_PREFIX_BYTES) throw refusal('Container is too short');
  if (!MAGIC.every((byte, i) => byte === prefix[i])) throw refusal('Not a container');
  const view = new DataView(prefix.buffer, prefix.byteOffset, prefix.byteLength);
  const boxBytes = view.getUint32(MAGIC.length);
  if (boxBytes < BOX_MIN_BYTES || boxBytes > BOX_MAX_BYTES) throw refusal('Header size out of range');
  return CONTAINER_PREFIX_BYTES + boxBytes;
}

/** Returns the size of the header for this `meta`. */
export function headerBytesFor(meta: AttachmentMeta): number {
  return CONTAINER_PREFIX_BYTES + BOX_MIN_BYTES + encodeMeta(meta).length;
}

/** Returns the header's bytes. {@link readAttachmentHeader} opens them. */
export async function sealHeader(
  messageKey: Uint8Array,
  fileKey: Uint8Array,
  meta: AttachmentMeta,
): Promise<Bytes> {
  requireSize(messageKey, MESSAGE_KEY_BYTES, 'Message key');
  requireSize(fileKey, FILE_KEY_BYTES, 'File key');
  const primitives = await getPrimitives();
  const json = encodeMeta(meta);
  const content = concatBytes(Uint8Array.of(json.length >> 8, json.length & 0xff), fileKey, json);
  const key = await primitives.aesGcm(messageKey);
  try {
    const box = await sealBox(primitives, key, content, MAGIC);
    const length = new Uint8Array(LENGTH_BYTES);
    new DataView(length.buffer).setUint32(0, box.length);
    return concatBytes(MAGIC, length, box);
  } finally {
    key.wipe();
    wipe(content);
  }
}

/**
 * Opens the header at the start of `container`, which may be longer. Throws 'Failed to decrypt
 * message' on failure.
 */
export async function readAttachmentHeader(
  messageKey: Uint8Array,
  container: Uint8Array,
): Promise<OpenedHeader> {
  return failAs('decrypt_failed', async () => {
    requireSize(messageKey, MESSAGE_KEY_BYTES, 'Message key');
    const headerSizeBytes = containerHeaderBytes(container);
    if (container.length < headerSizeBytes) throw new RangeError('Container is too short');
    const key = await (await getPrimitives()).aesGcm(messageKey);
    const box = container.subarray(CONTAINER_PREFIX_BYTES, headerSizeBytes);
    const content = await openBox(key, box, MAGIC).finally(() => key.wipe());
    try {
      const jsonStart = META_LENGTH_BYTES + FILE_KEY_BYTES;
      const jsonBytes = ((content[0] as number) << 8) | (content[1] as number);
      if (content.length !== jsonStart + jsonBytes) throw new RangeError('Header sizes do not fit');
      const meta = decodeMeta(content.subarray(jsonStart));
      return { fileKey: content.slice(META_LENGTH_BYTES, jsonStart), meta, headerSizeBytes };
    } finally {
      wipe(content);
    }
  });
}

function refusal(reason: string): CryptoError {
  return new CryptoError('decrypt_failed', new RangeError(reason));
}

function encodeMeta(meta: AttachmentMeta): Bytes {
  const { name, type, size } = checkMeta(meta);
  const json = encodeUtf8(JSON.stringify({ name, type, size }));
  if (json.length > CONTAINER_META_MAX_BYTES) throw new RangeError('Attachment name or type is too long');
  return json;
}

function decodeMeta(json: Uint8Array): AttachmentMeta {
  return checkMeta(JSON.parse(decodeUtf8(json)));
}

function checkMeta(value: unknown): AttachmentMeta {
  if (typeof value !== 'object' || value === null) throw new TypeError('Attachment: not an object');
  const { name, type, size } = value as Record<string, unknown>;
  if (typeof name !== 'string' || typeof type !== 'string') throw new TypeError('Attachment: name or type');
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw new TypeError('Attachment: size');
  return { name, type, size };
}

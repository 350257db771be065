/**
 * Validates an encrypted blob as it streams through: that it is one
 * (docs/wire-format.md#attachments), that its size is possible, and that it fits the quota. The
 * content stays sealed; the client that opens it detects a wrong authentication tag.
 */
import { AppError } from '@keyfold/contract/errors';
import { containerHeaderBytes, containerLayout } from '@keyfold/crypto/attachment';

/** Number of bytes that contain the type of the blob and the length of its header. */
const PREFIX_BYTES = 8;

/** Runs a check from packages/crypto and reports a failure as a client error. */
function requireContainer<T>(check: () => T): T {
  try {
    return check();
  } catch (cause) {
    throw new AppError('message_refused', {
      cause,
      problems: [{ path: 'file', message: 'Invalid encrypted container' }],
    });
  }
}

/**
 * Yields the same content while checking it. Throws message_refused as soon as the bytes can't be a
 * sealed blob, quota_exceeded at the first byte beyond `freeBytes`, and too_large when the request
 * was cut off.
 */
export async function* checkedContainer(
  file: { readonly content: AsyncIterable<Uint8Array>; readonly isTooLarge: () => boolean },
  freeBytes: number,
): AsyncGenerator<Uint8Array> {
  let prefix: Uint8Array = Buffer.alloc(0);
  let headerBytes: number | null = null;
  let sizeBytes = 0;
  for await (const piece of file.content) {
    sizeBytes += piece.length;
    if (headerBytes === null) {
      prefix = Buffer.concat([prefix, piece.subarray(0, PREFIX_BYTES - prefix.length)]);
      if (prefix.length === PREFIX_BYTES) headerBytes = requireContainer(() => containerHeaderBytes(prefix));
    }
    if (sizeBytes > freeBytes) throw new AppError('quota_exceeded');
    yield piece;
  }
  if (file.isTooLarge()) throw new AppError('too_large');
  requireContainer(() => containerLayout(headerBytes ?? containerHeaderBytes(prefix), sizeBytes));
}

/**
 * Looks at a container while it streams by: is it one at all (docs/wire-format.md#attachments), can it have that size, does it
 * fit? What is inside stays sealed; a wrong tag is found by whoever opens it.
 */
import { AppError } from '@keyfold/contract/errors';
import { containerHeaderBytes, containerLayout } from '@keyfold/crypto/attachment';

/** Bytes in which a container says what it is and how long its header is. */
const PREFIX_BYTES = 8;

/** Runs a check of packages/crypto; a refusal there is the caller's mistake, not a failure of ours. */
function requireContainer<T>(check: () => T): T {
  try {
    return check();
  } catch (cause) {
    throw new AppError('message_refused', {
      cause,
      problems: [{ path: 'file', message: 'Not a sealed container' }],
    });
  }
}

/**
 * The same content, checked on its way: ends in message_refused at the first bytes that make it no container, in
 * quota_exceeded at the first byte over `freeBytes`, and in too_large when the request was cut off.
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

// The text of a file that says nothing of its character set, or of the beginning of one.
import { decodeUnlabeled } from '@keyfold/mail/mime/charsets';

const CONTINUATION_BYTES = 3;

/** Bytes without the torn character that a cut may have left at their end. */
function withoutTornEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(CONTINUATION_BYTES, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
  }
  return bytes;
}

/** The text. `isCut` says that the bytes are the beginning of more. */
export const textOf = (bytes: Uint8Array, isCut: boolean): string =>
  decodeUnlabeled(isCut ? withoutTornEnd(bytes) : bytes);

// Decodes a file, or the beginning of one, that declares no character set.
import { decodeUnlabeled } from '@keyfold/mail/mime/charsets';

const CONTINUATION_BYTES = 3;

/** Drops the incomplete character that truncation may have left at the end. */
function withoutTornEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(CONTINUATION_BYTES, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
  }
  return bytes;
}

/** Decodes the bytes. `isCut` means that they are only the beginning of the file. */
export const textOf = (bytes: Uint8Array, isCut: boolean): string =>
  decodeUnlabeled(isCut ? withoutTornEnd(bytes) : bytes);

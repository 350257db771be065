// The WHATWG decoders: the browser's own, or a library's outside browsers, because Node decodes
// some charsets (EUC-KR, Big5, windows-1252) differently. UTF-8 and UTF-16 are the same everywhere.

import { TextDecoder as WhatwgDecoder } from '@exodus/bytes/encoding-browser.js';

/** Decodes the bytes of one charset. */
export type Decoder = {
  readonly encoding: string;
  decode(bytes: Uint8Array): string;
};

type DecoderClass = new (label: string, options?: { fatal?: boolean; ignoreBOM?: boolean }) => Decoder;

/**
 * Creates a decoder for a label of the WHATWG standard; fails for other labels. A strict decoder
 * fails on bytes that are not valid text in the charset.
 */
export function createDecoder(label: string, isStrict = false): Decoder {
  return new (WhatwgDecoder as unknown as DecoderClass)(label, { fatal: isStrict, ignoreBOM: true });
}

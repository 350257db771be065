// The WHATWG decoders: a browser's own, and where there is no browser a library's, since Node reads some sets (EUC-KR, Big5,
// windows-1252) its own way. UTF-8 and UTF-16 are the same everywhere.

import { TextDecoder as WhatwgDecoder } from '@exodus/bytes/encoding-browser.js';

/** Reads the bytes of one set. */
export type Decoder = {
  readonly encoding: string;
  decode(bytes: Uint8Array): string;
};

type DecoderClass = new (label: string, options?: { fatal?: boolean; ignoreBOM?: boolean }) => Decoder;

/** A decoder for a label of the WHATWG standard; fails for others. A strict one fails where bytes are no text in the set. */
export function createDecoder(label: string, isStrict = false): Decoder {
  return new (WhatwgDecoder as unknown as DecoderClass)(label, { fatal: isStrict, ignoreBOM: true });
}

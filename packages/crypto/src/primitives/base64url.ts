// The unpadded URL alphabet of JSON Web Keys (RFC 7515), needed only to read a public key from a
// native key. Every Keyfold wire format uses the standard alphabet in ../bytes.ts.

import { decodeBase64 } from '../bytes.ts';
import type { Bytes } from '../platform.ts';

/** Returns the bytes of unpadded base64url `text`. Throws SyntaxError for other text. */
export function decodeBase64Url(text: string): Bytes {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return decodeBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '='));
}

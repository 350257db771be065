// The unpadded URL alphabet of JSON Web Keys (RFC 7515), needed only to read a public key out of a native key.
// Every wire format of ours uses the standard alphabet in ../bytes.ts instead.

import { decodeBase64 } from '../bytes.ts';
import type { Bytes } from '../platform.ts';

/** Bytes of unpadded base64url `text`; throws SyntaxError otherwise. */
export function decodeBase64Url(text: string): Bytes {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return decodeBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '='));
}

// Ed25519 verification in JavaScript: not every browser supports Ed25519, and one check takes two
// milliseconds.

import { ed25519 } from '@noble/curves/ed25519.js';

/**
 * Returns whether this is a valid signature of `message` under the key (RFC 8032, strict); false
 * for malformed input.
 */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

// Ed25519 signatures in JavaScript: browsers differ in whether they have them, and one check takes two milliseconds.

import { ed25519 } from '@noble/curves/ed25519.js';

/** Whether this is the signature of `message` under the key (RFC 8032, strict); false for bytes that are none. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

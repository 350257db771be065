// X25519 from noble (RFC 7748), for engines without it. noble throws on a low-order public key.

import { x25519 } from '@noble/curves/ed25519.js';
import { requireSize, wipe } from '../bytes.ts';
import { X25519_PRIVATE_BYTES, X25519_PUBLIC_BYTES } from '../params.ts';
import { type Bytes, fillRandom } from '../platform.ts';
import type { X25519, X25519Key } from './port.ts';

export const javascriptX25519: X25519 = {
  load: async privateKey => keyOf(privateKey.slice()),
  publicFrom: async privateKey => x25519.getPublicKey(privateKey) as Bytes,
  ephemeral: async () => {
    const privateKey = new Uint8Array(X25519_PRIVATE_BYTES);
    fillRandom(privateKey);
    return { key: keyOf(privateKey), publicKey: x25519.getPublicKey(privateKey) as Bytes };
  },
};

function keyOf(privateKey: Uint8Array): X25519Key {
  requireSize(privateKey, X25519_PRIVATE_BYTES, 'X25519 private key');
  return {
    sharedWith: async publicKey => {
      requireSize(publicKey, X25519_PUBLIC_BYTES, 'X25519 public key');
      return x25519.getSharedSecret(privateKey, publicKey) as Bytes;
    },
    wipe: () => wipe(privateKey),
  };
}

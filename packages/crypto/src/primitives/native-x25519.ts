// X25519 from the host's WebCrypto (RFC 7748). A raw private key is imported as PKCS#8 (RFC 8410),
// because WebCrypto has no raw import for it. Engines differ on a low-order public key: some reject
// it, others return an all-zero secret, so callers treat both as refusal.

import { concatBytes, wipe } from '../bytes.ts';
import { type Bytes, findSubtle, type PlatformKey, type PlatformSubtle } from '../platform.ts';
import { decodeBase64Url } from './base64url.ts';
import type { X25519, X25519Key } from './port.ts';

// SEQUENCE { INTEGER 0, SEQUENCE { OID 1.3.101.110 }, OCTET STRING { OCTET STRING of 32 bytes } }
const PKCS8_PREFIX = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20);
const X25519_NAME = { name: 'X25519' };

/**
 * Returns X25519 on the host's WebCrypto, or null where it is missing or fails a known-answer test.
 */
export async function findNativeX25519(): Promise<X25519 | null> {
  const subtle = findSubtle();
  if (subtle === null) return null;
  const port: X25519 = {
    load: async privateKey => keyOf(subtle, await importPrivate(subtle, privateKey, false)),
    publicFrom: async privateKey => {
      const key = await importPrivate(subtle, privateKey, true);
      return decodeBase64Url((await subtle.exportKey('jwk', key)).x ?? '');
    },
    ephemeral: async () => {
      const pair = await subtle.generateKey(X25519_NAME, false, ['deriveBits']);
      const publicKey = new Uint8Array(await subtle.exportKey('raw', pair.publicKey));
      return { key: keyOf(subtle, pair.privateKey), publicKey };
    },
  };
  return (await passesKnownAnswer(port)) ? port : null;
}

async function importPrivate(
  subtle: PlatformSubtle,
  privateKey: Uint8Array,
  extractable: boolean,
): Promise<PlatformKey> {
  const pkcs8 = concatBytes(PKCS8_PREFIX, privateKey);
  try {
    return await subtle.importKey('pkcs8', pkcs8, X25519_NAME, extractable, ['deriveBits']);
  } finally {
    wipe(pkcs8);
  }
}

function keyOf(subtle: PlatformSubtle, key: PlatformKey): X25519Key {
  return {
    sharedWith: async (publicKey): Promise<Bytes> => {
      const peer = await subtle.importKey('raw', publicKey, X25519_NAME, false, []);
      return new Uint8Array(await subtle.deriveBits({ name: 'X25519', public: peer }, key, 256));
    },
    wipe: () => undefined,
  };
}

// A claim of support is not sufficient. This runs the exact calls that the package uses, on the
// scalar 2^254 (clamped 0), and a round trip between two pairs.
async function passesKnownAnswer(port: X25519): Promise<boolean> {
  try {
    const privateKey = new Uint8Array(32).fill(9);
    const own = await port.load(privateKey);
    const peer = await port.ephemeral();
    const [left, right] = await Promise.all([
      own.sharedWith(peer.publicKey),
      peer.key.sharedWith(await port.publicFrom(privateKey)),
    ]);
    return left.length === 32 && left.every((byte, i) => byte === right[i]);
  } catch {
    return false;
  }
}

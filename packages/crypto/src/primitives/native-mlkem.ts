// ML-KEM-1024 from the host's WebCrypto (FIPS 203; "Modern Algorithms in the Web Cryptography
// API"). Keys are imported in seed form, 64 bytes d||z. Decapsulation never fails on a wrong
// ciphertext of the right size: it returns another secret, and the failure appears one step later,
// when the wrapped key's tag does not match.

import { requireSize } from '../bytes.ts';
import {
  MLKEM_CIPHERTEXT_BYTES,
  MLKEM_PUBLIC_BYTES,
  MLKEM_SECRET_BYTES,
  MLKEM_SEED_BYTES,
} from '../params.ts';
import { findSubtle } from '../platform.ts';
import { decodeBase64Url } from './base64url.ts';
import type { MlKem1024 } from './port.ts';

const MLKEM_NAME = { name: 'ML-KEM-1024' };

/**
 * Returns ML-KEM-1024 on the host's WebCrypto, or null where it is missing or fails a round trip.
 */
export async function findNativeMlKem(): Promise<MlKem1024 | null> {
  const subtle = findSubtle();
  if (subtle === null) return null;
  const port: MlKem1024 = {
    fromSeed: async seed => {
      requireSize(seed, MLKEM_SEED_BYTES, 'ML-KEM seed');
      // Extractable only long enough to read the public half; the retained key is not extractable.
      const [key, readable] = await Promise.all([
        subtle.importKey('raw-seed', seed, MLKEM_NAME, false, ['decapsulateBits']),
        subtle.importKey('raw-seed', seed, MLKEM_NAME, true, ['decapsulateBits']),
      ]);
      const publicKey = decodeBase64Url((await subtle.exportKey('jwk', readable)).pub ?? '');
      requireSize(publicKey, MLKEM_PUBLIC_BYTES, 'ML-KEM public key');
      return {
        publicKey,
        decapsulate: async ciphertext => {
          requireSize(ciphertext, MLKEM_CIPHERTEXT_BYTES, 'ML-KEM ciphertext');
          return new Uint8Array(await subtle.decapsulateBits(MLKEM_NAME, key, ciphertext));
        },
        wipe: () => undefined,
      };
    },
    encapsulate: async publicKey => {
      requireSize(publicKey, MLKEM_PUBLIC_BYTES, 'ML-KEM public key');
      const key = await subtle.importKey('raw-public', publicKey, MLKEM_NAME, false, ['encapsulateBits']);
      const { ciphertext, sharedKey } = await subtle.encapsulateBits(MLKEM_NAME, key);
      return { ciphertext: new Uint8Array(ciphertext), sharedSecret: new Uint8Array(sharedKey) };
    },
  };
  return (await passesRoundTrip(port)) ? port : null;
}

async function passesRoundTrip(port: MlKem1024): Promise<boolean> {
  try {
    const key = await port.fromSeed(new Uint8Array(MLKEM_SEED_BYTES).fill(7));
    const { ciphertext, sharedSecret } = await port.encapsulate(key.publicKey);
    const again = await key.decapsulate(ciphertext);
    return (
      ciphertext.length === MLKEM_CIPHERTEXT_BYTES &&
      again.length === MLKEM_SECRET_BYTES &&
      again.every((byte, i) => byte === sharedSecret[i])
    );
  } catch {
    return false;
  }
}

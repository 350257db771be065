// ML-KEM-1024 from noble (FIPS 203), for WebViews whose WebCrypto lacks it. About 20 times slower
// than native.

import { ml_kem1024 } from '@noble/post-quantum/ml-kem.js';
import { requireSize, wipe } from '../bytes.ts';
import {
  MLKEM_CIPHERTEXT_BYTES,
  MLKEM_PUBLIC_BYTES,
  MLKEM_RANDOMNESS_BYTES,
  MLKEM_SEED_BYTES,
} from '../params.ts';
import { type Bytes, fillRandom } from '../platform.ts';
import type { MlKem1024 } from './port.ts';

export const javascriptMlKem: MlKem1024 = {
  fromSeed: async seed => {
    requireSize(seed, MLKEM_SEED_BYTES, 'ML-KEM seed');
    const { publicKey, secretKey } = ml_kem1024.keygen(seed);
    return {
      publicKey: publicKey as Bytes,
      decapsulate: async ciphertext => {
        requireSize(ciphertext, MLKEM_CIPHERTEXT_BYTES, 'ML-KEM ciphertext');
        return ml_kem1024.decapsulate(ciphertext, secretKey) as Bytes;
      },
      wipe: () => wipe(secretKey),
    };
  },
  encapsulate: async publicKey => {
    requireSize(publicKey, MLKEM_PUBLIC_BYTES, 'ML-KEM public key');
    const randomness = new Uint8Array(MLKEM_RANDOMNESS_BYTES);
    fillRandom(randomness);
    try {
      const { cipherText, sharedSecret } = ml_kem1024.encapsulate(publicKey, randomness);
      return { ciphertext: cipherText as Bytes, sharedSecret: sharedSecret as Bytes };
    } finally {
      wipe(randomness);
    }
  },
};

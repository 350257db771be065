// SHA, HKDF and AES from noble, for hosts without WebCrypto (a page that is not a secure context)
// and as the reference for the native code in tests. Table-based AES in JavaScript is not
// constant-time; use it only as a fallback.

import { cbc, gcm } from '@noble/ciphers/aes.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { requireSize, wipe } from '../bytes.ts';
import { GCM_IV_BYTES, WRAP_KEY_BYTES } from '../params.ts';
import type { Bytes } from '../platform.ts';
import type { Classic, GcmKey } from './port.ts';

export const javascriptClassic: Classic = {
  sha1: async data => own(sha1(data)),
  sha256: async data => own(sha256(data)),
  hkdfSha256: async material => {
    const copy = material.slice();
    return {
      bytes: async (salt, info, sizeBytes) => own(hkdf(sha256, copy, salt, info, sizeBytes)),
      gcmKey: async (salt, info) => {
        const key = hkdf(sha256, copy, salt, info, WRAP_KEY_BYTES);
        try {
          return gcmKeyOf(key);
        } finally {
          wipe(key);
        }
      },
      wipe: () => wipe(copy),
    };
  },
  aesGcm: async key => gcmKeyOf(key),
  aesCbcEncrypt: async (key, iv, plaintext) => own(cbc(key, iv).encrypt(plaintext)),
  aesCbcDecrypt: async (key, iv, ciphertext) => own(cbc(key, iv).decrypt(ciphertext)),
};

function gcmKeyOf(key: Uint8Array): GcmKey {
  requireSize(key, WRAP_KEY_BYTES, 'AES key');
  const copy = key.slice();
  return {
    seal: async (iv, plaintext, ad) => {
      requireSize(iv, GCM_IV_BYTES, 'AES-GCM IV');
      return own(gcm(copy, iv, ad).encrypt(plaintext));
    },
    open: async (iv, sealed, ad) => {
      requireSize(iv, GCM_IV_BYTES, 'AES-GCM IV');
      return own(gcm(copy, iv, ad).decrypt(sealed));
    },
    wipe: () => wipe(copy),
  };
}

// noble declares the widest buffer type for its results; in fact they are always fresh, plain
// ArrayBuffers.
function own(bytes: Uint8Array): Bytes {
  return bytes as Bytes;
}

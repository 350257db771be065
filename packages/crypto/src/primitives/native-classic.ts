// SHA, HKDF and AES from the host's WebCrypto. Contains no protocol logic. Keys are imported as
// non-extractable. WebCrypto copies its inputs when called, so the caller may wipe them as soon as
// the call has returned.

import { type Bytes, findSubtle, type PlatformKey, type PlatformSubtle } from '../platform.ts';
import type { Classic, GcmKey } from './port.ts';

const AES_GCM = { name: 'AES-GCM', length: 256 };
const GCM_USAGES = ['encrypt', 'decrypt'] as const;

/** Returns SHA, HKDF and AES on the host's WebCrypto, or null where there is none. */
export function findNativeClassic(): Classic | null {
  const subtle = findSubtle();
  if (subtle === null) return null;
  return {
    sha1: async data => new Uint8Array(await subtle.digest('SHA-1', data)),
    sha256: async data => new Uint8Array(await subtle.digest('SHA-256', data)),
    hkdfSha256: async material => {
      const key = await subtle.importKey('raw', material, 'HKDF', false, ['deriveKey', 'deriveBits']);
      const algorithm = (salt: Uint8Array, info: Uint8Array) => ({
        name: 'HKDF',
        hash: 'SHA-256',
        salt,
        info,
      });
      return {
        bytes: async (salt, info, sizeBytes) =>
          new Uint8Array(await subtle.deriveBits(algorithm(salt, info), key, sizeBytes * 8)),
        gcmKey: async (salt, info) =>
          gcmKeyOf(subtle, await subtle.deriveKey(algorithm(salt, info), key, AES_GCM, false, GCM_USAGES)),
        wipe: () => undefined,
      };
    },
    aesGcm: async key => gcmKeyOf(subtle, await subtle.importKey('raw', key, AES_GCM, false, GCM_USAGES)),
    aesCbcEncrypt: async (key, iv, plaintext) => {
      const imported = await subtle.importKey('raw', key, 'AES-CBC', false, ['encrypt']);
      return new Uint8Array(await subtle.encrypt({ name: 'AES-CBC', iv }, imported, plaintext));
    },
    aesCbcDecrypt: async (key, iv, ciphertext) => {
      const imported = await subtle.importKey('raw', key, 'AES-CBC', false, ['decrypt']);
      return new Uint8Array(await subtle.decrypt({ name: 'AES-CBC', iv }, imported, ciphertext));
    },
  };
}

function gcmKeyOf(subtle: PlatformSubtle, key: PlatformKey): GcmKey {
  const parameters = (iv: Uint8Array, additionalData: Uint8Array) => ({
    name: 'AES-GCM',
    iv,
    additionalData,
    tagLength: 128,
  });
  return {
    seal: async (iv, plaintext, ad): Promise<Bytes> =>
      new Uint8Array(await subtle.encrypt(parameters(iv, ad), key, plaintext)),
    open: async (iv, sealed, ad): Promise<Bytes> =>
      new Uint8Array(await subtle.decrypt(parameters(iv, ad), key, sealed)),
    wipe: () => undefined,
  };
}

// The same primitives on Node's own crypto module, where available. WebCrypto sends every call,
// however small, to another thread and back. Sealing a message of a few kilobytes makes about
// twenty calls, and a server that receives mail spends more time on these transfers than on the
// work. This file processes small inputs synchronously; large ones still go to WebCrypto, so that
// they do not block the event loop. Operations that a server never performs (opening with private
// keys) stay with WebCrypto.

import { concatBytes, requireSize, wipe } from '../bytes.ts';
import { GCM_TAG_BYTES, MLKEM_CIPHERTEXT_BYTES, MLKEM_PUBLIC_BYTES, MLKEM_SECRET_BYTES } from '../params.ts';
import { type Bytes, findNodeCrypto, type NodeCipher, type NodeCrypto, type NodeKey } from '../platform.ts';
import type { Classic, GcmKey, MlKem1024, Primitives, X25519 } from './port.ts';

/**
 * Inputs above this size go to WebCrypto; below it, the work takes less time than handing it over.
 */
const AT_ONCE_MAX_BYTES = 65_536;
const KEY_BYTES = 32;
const X25519_BYTES = 32;

/** Copies into an own buffer, because Node's results may share one. */
const own = (bytes: Uint8Array | ArrayBuffer): Bytes => new Uint8Array(bytes);

function run(cipher: NodeCipher, data: Uint8Array): Bytes {
  return concatBytes(cipher.update(data), cipher.final());
}

function gcmKeyOf(node: NodeCrypto, secret: Bytes, large: () => Promise<GcmKey>): GcmKey {
  let loaded: Promise<GcmKey> | null = null;
  const forLarge = () => {
    loaded ??= large();
    return loaded;
  };
  return {
    seal: async (iv, plaintext, ad) => {
      if (plaintext.length > AT_ONCE_MAX_BYTES) return (await forLarge()).seal(iv, plaintext, ad);
      const cipher = node.createCipheriv('aes-256-gcm', secret, iv, { authTagLength: GCM_TAG_BYTES });
      cipher.setAAD(ad);
      return concatBytes(run(cipher, plaintext), cipher.getAuthTag());
    },
    open: async (iv, sealed, ad) => {
      if (sealed.length > AT_ONCE_MAX_BYTES) return (await forLarge()).open(iv, sealed, ad);
      if (sealed.length < GCM_TAG_BYTES) throw new RangeError('Sealed value is too short');
      const decipher = node.createDecipheriv('aes-256-gcm', secret, iv, { authTagLength: GCM_TAG_BYTES });
      decipher.setAAD(ad);
      decipher.setAuthTag(sealed.subarray(sealed.length - GCM_TAG_BYTES));
      return run(decipher, sealed.subarray(0, sealed.length - GCM_TAG_BYTES));
    },
    wipe: () => {
      wipe(secret);
      loaded?.then(key => key.wipe()).catch(() => undefined);
    },
  };
}

function classicOf(node: NodeCrypto, native: Classic): Classic {
  const hash = (algorithm: string, data: Uint8Array) => own(node.createHash(algorithm).update(data).digest());
  const aesGcm = async (key: Uint8Array): Promise<GcmKey> => {
    requireSize(key, KEY_BYTES, 'AES key');
    const secret = own(key);
    return gcmKeyOf(node, secret, () => native.aesGcm(secret));
  };
  return {
    sha1: async data => (data.length > AT_ONCE_MAX_BYTES ? native.sha1(data) : hash('sha1', data)),
    sha256: async data => (data.length > AT_ONCE_MAX_BYTES ? native.sha256(data) : hash('sha256', data)),
    hkdfSha256: async material => {
      const secret = own(material);
      const bytes = async (salt: Uint8Array, info: Uint8Array, sizeBytes: number) =>
        own(node.hkdfSync('sha256', secret, salt, info, sizeBytes));
      return {
        bytes,
        gcmKey: async (salt, info) => {
          const derived = await bytes(salt, info, KEY_BYTES);
          try {
            return await aesGcm(derived);
          } finally {
            wipe(derived);
          }
        },
        wipe: () => wipe(secret),
      };
    },
    aesGcm,
    aesCbcEncrypt: async (key, iv, plaintext) =>
      plaintext.length > AT_ONCE_MAX_BYTES
        ? native.aesCbcEncrypt(key, iv, plaintext)
        : run(node.createCipheriv('aes-256-cbc', key, iv), plaintext),
    aesCbcDecrypt: async (key, iv, ciphertext) =>
      ciphertext.length > AT_ONCE_MAX_BYTES
        ? native.aesCbcDecrypt(key, iv, ciphertext)
        : run(node.createDecipheriv('aes-256-cbc', key, iv), ciphertext),
  };
}

function publicKeyOf(
  node: NodeCrypto,
  asymmetricKeyType: 'ml-kem-1024' | 'x25519',
  key: Uint8Array,
): NodeKey {
  return node.createPublicKey({ key, format: 'raw-public', asymmetricKeyType });
}

function x25519Of(node: NodeCrypto, native: X25519): X25519 {
  return {
    ...native,
    ephemeral: async () => {
      // Raw keys in both directions, because writing and reading DER takes as long as the operation
      // itself.
      const { privateKey, publicKey } = node.generateKeyPairSync('x25519', {
        publicKeyEncoding: { format: 'raw-public' },
      });
      requireSize(publicKey, X25519_BYTES, 'X25519 public key');
      return {
        publicKey: own(publicKey),
        key: {
          sharedWith: async peer => {
            requireSize(peer, X25519_BYTES, 'X25519 public key');
            const publicKey = publicKeyOf(node, 'x25519', peer);
            return own(node.diffieHellman({ privateKey, publicKey }));
          },
          wipe: () => undefined,
        },
      };
    },
  };
}

function mlKemOf(node: NodeCrypto, native: MlKem1024): MlKem1024 {
  return {
    ...native,
    encapsulate: async publicKey => {
      requireSize(publicKey, MLKEM_PUBLIC_BYTES, 'ML-KEM public key');
      const { ciphertext, sharedKey } = node.encapsulate(publicKeyOf(node, 'ml-kem-1024', publicKey));
      requireSize(ciphertext, MLKEM_CIPHERTEXT_BYTES, 'ML-KEM ciphertext');
      requireSize(sharedKey, MLKEM_SECRET_BYTES, 'ML-KEM secret');
      const sharedSecret = own(sharedKey);
      wipe(sharedKey);
      return { ciphertext: own(ciphertext), sharedSecret };
    },
  };
}

type Shortened = Pick<Primitives, 'x25519' | 'mlkem1024'> & { readonly classic: Classic };

/**
 * Returns Node's shortcuts around these WebCrypto primitives, or null outside Node or when their
 * results differ.
 */
export async function findNodeShortcuts(native: Shortened): Promise<Shortened | null> {
  const node = findNodeCrypto();
  if (node === null) return null;
  const shortened = {
    classic: classicOf(node, native.classic),
    x25519: x25519Of(node, native.x25519),
    mlkem1024: mlKemOf(node, native.mlkem1024),
  };
  return (await agree(shortened, native)) ? shortened : null;
}

// Detects a Node version that lacks one of the calls or uses other key formats now, instead of at
// the first message.
async function agree(left: Shortened, right: Shortened): Promise<boolean> {
  try {
    const own = await left.x25519.ephemeral();
    const peer = await right.x25519.ephemeral();
    const reader = await right.mlkem1024.fromSeed(new Uint8Array(64).fill(5));
    const kem = await left.mlkem1024.encapsulate(reader.publicKey);
    const iv = new Uint8Array(16);
    const pairs = await Promise.all([
      Promise.all([own.key.sharedWith(peer.publicKey), peer.key.sharedWith(own.publicKey)]),
      Promise.all([Promise.resolve(kem.sharedSecret), reader.decapsulate(kem.ciphertext)]),
      Promise.all([left, right].map(side => side.classic.sha256(kem.ciphertext))),
      Promise.all([left, right].map(side => side.classic.aesCbcEncrypt(kem.sharedSecret, iv, iv))),
      Promise.all(
        [left, right].map(async side => {
          const key = await (await side.classic.hkdfSha256(kem.ciphertext)).gcmKey(iv, iv);
          return key.seal(iv.subarray(0, 12), iv, iv);
        }),
      ),
    ]);
    return pairs.every(([a, b]) => a !== undefined && b !== undefined && isSame(a, b));
  } catch {
    return false;
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length > 0 && a.length === b.length && a.every((byte, index) => byte === b[index]);
}

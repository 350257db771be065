// The only interface between this package and third-party cryptographic code. It has two
// implementations: the host's WebCrypto (native-*.ts) and audited JavaScript (javascript-*.ts);
// select.ts chooses. A "loaded" key has the form that is fastest for its implementation; `wipe`
// ends its use. No protocol logic here: no labels, no wire formats. docs/spec-map.md 9.

import type { Bytes } from '../platform.ts';

/**
 * AES-256-GCM key, 12-byte IV, 16-byte tag appended. `open` rejects when the tag does not match.
 */
export type GcmKey = {
  seal(iv: Uint8Array, plaintext: Uint8Array, associatedData: Uint8Array): Promise<Bytes>;
  open(iv: Uint8Array, sealed: Uint8Array, associatedData: Uint8Array): Promise<Bytes>;
  wipe(): void;
};

/** Input keying material of HKDF-SHA256 (RFC 5869). */
export type HkdfKey = {
  /** Returns `sizeBytes` of output. */
  bytes(salt: Uint8Array, info: Uint8Array, sizeBytes: number): Promise<Bytes>;
  /**
   * Returns the first 32 bytes of output as an AES-256-GCM key; in native implementations they
   * never enter JavaScript.
   */
  gcmKey(salt: Uint8Array, info: Uint8Array): Promise<GcmKey>;
  wipe(): void;
};

/** Hashes and ciphers that every WebCrypto provides. */
export type Classic = {
  sha1(data: Uint8Array): Promise<Bytes>;
  sha256(data: Uint8Array): Promise<Bytes>;
  hkdfSha256(inputKeyingMaterial: Uint8Array): Promise<HkdfKey>;
  aesGcm(key: Uint8Array): Promise<GcmKey>;
  /** AES-256-CBC with PKCS#7 padding. Malleable: never use it without an authenticated binding. */
  aesCbcEncrypt(key: Uint8Array, iv: Uint8Array, plaintext: Uint8Array): Promise<Bytes>;
  aesCbcDecrypt(key: Uint8Array, iv: Uint8Array, ciphertext: Uint8Array): Promise<Bytes>;
};

/** An X25519 private key (RFC 7748). */
export type X25519Key = {
  /**
   * Returns the shared secret with `publicKey`. For a low-order point it may be all zero or reject;
   * the caller checks.
   */
  sharedWith(publicKey: Uint8Array): Promise<Bytes>;
  wipe(): void;
};

export type X25519 = {
  /** Loads a copy of `privateKey`, 32 bytes. */
  load(privateKey: Uint8Array): Promise<X25519Key>;
  publicFrom(privateKey: Uint8Array): Promise<Bytes>;
  /**
   * Creates a single-use pair; in native implementations its private half never enters JavaScript.
   */
  ephemeral(): Promise<{ readonly key: X25519Key; readonly publicKey: Bytes }>;
};

/** An ML-KEM-1024 private key (FIPS 203). */
export type MlKemKey = {
  readonly publicKey: Bytes;
  /**
   * Never fails on a wrong ciphertext of the right size: implicit rejection returns another secret.
   */
  decapsulate(ciphertext: Uint8Array): Promise<Bytes>;
  wipe(): void;
};

export type MlKem1024 = {
  /** Expands a copy of the 64-byte seed d||z. */
  fromSeed(seed: Uint8Array): Promise<MlKemKey>;
  encapsulate(publicKey: Uint8Array): Promise<{ readonly ciphertext: Bytes; readonly sharedSecret: Bytes }>;
};

/** Cost and output size of one Argon2id run. */
type Argon2Cost = {
  readonly passes: number;
  readonly memoryKib: number;
  readonly lanes: number;
  readonly outputBytes: number;
};

/** Argon2id, version 1.3 (RFC 9106). */
export type Argon2id = (password: Uint8Array, salt: Uint8Array, cost: Argon2Cost) => Promise<Bytes>;

/** All primitives that the protocol uses. */
export type Primitives = Classic & {
  /** Returns random bytes from the host. */
  random(sizeBytes: number): Bytes;
  readonly x25519: X25519;
  readonly mlkem1024: MlKem1024;
  readonly argon2id: Argon2id;
};

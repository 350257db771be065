// Typed access to the host: only the web-platform globals that this package uses. The package is
// compiled without DOM and Node types, so a stray `document` or `Buffer` fails the build. Browsers,
// workers, WebViews and Node provide everything declared here, except that `subtle` is absent in a
// page that is not a secure context (http:// on a LAN); the JavaScript primitives then replace it.

/** Bytes that own a plain ArrayBuffer, so callers can pass them to Blob, fetch or postMessage. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Opaque key held by WebCrypto. */
export type PlatformKey = {
  readonly type: string;
};

type PlatformKeyPair = {
  readonly privateKey: PlatformKey;
  readonly publicKey: PlatformKey;
};

type AlgorithmName = string | { readonly name: string; readonly [parameter: string]: unknown };

/**
 * The SubtleCrypto methods in use, including ML-KEM and Argon2id where the engine provides them.
 */
export type PlatformSubtle = {
  digest(algorithm: string, data: Uint8Array): Promise<ArrayBuffer>;
  importKey(
    format: string,
    data: Uint8Array,
    algorithm: AlgorithmName,
    extractable: boolean,
    usages: readonly string[],
  ): Promise<PlatformKey>;
  exportKey(format: 'jwk', key: PlatformKey): Promise<{ readonly x?: string; readonly pub?: string }>;
  exportKey(format: 'raw' | 'raw-public', key: PlatformKey): Promise<ArrayBuffer>;
  generateKey(
    algorithm: AlgorithmName,
    extractable: boolean,
    usages: readonly string[],
  ): Promise<PlatformKeyPair>;
  encrypt(algorithm: AlgorithmName, key: PlatformKey, data: Uint8Array): Promise<ArrayBuffer>;
  decrypt(algorithm: AlgorithmName, key: PlatformKey, data: Uint8Array): Promise<ArrayBuffer>;
  deriveBits(algorithm: AlgorithmName, key: PlatformKey, sizeBits: number): Promise<ArrayBuffer>;
  deriveKey(
    algorithm: AlgorithmName,
    key: PlatformKey,
    derived: AlgorithmName,
    extractable: boolean,
    usages: readonly string[],
  ): Promise<PlatformKey>;
  encapsulateBits(
    algorithm: AlgorithmName,
    key: PlatformKey,
  ): Promise<{ readonly ciphertext: ArrayBuffer; readonly sharedKey: ArrayBuffer }>;
  decapsulateBits(algorithm: AlgorithmName, key: PlatformKey, ciphertext: Uint8Array): Promise<ArrayBuffer>;
};

/** Key held by Node's crypto module. */
export type NodeKey = {
  readonly type: string;
};

/** Running cipher of Node's crypto module. */
export type NodeCipher = {
  update(data: Uint8Array): Uint8Array;
  final(): Uint8Array;
  setAAD(data: Uint8Array): unknown;
  getAuthTag(): Uint8Array;
  setAuthTag(tag: Uint8Array): unknown;
};

type NodeCipherMaker = (
  algorithm: string,
  key: Uint8Array,
  iv: Uint8Array,
  options?: { readonly authTagLength: number },
) => NodeCipher;

/** The synchronous functions of Node's crypto module in use. */
export type NodeCrypto = {
  createHash(algorithm: string): { update(data: Uint8Array): { digest(): Uint8Array } };
  hkdfSync(
    digest: string,
    material: Uint8Array,
    salt: Uint8Array,
    info: Uint8Array,
    sizeBytes: number,
  ): ArrayBuffer;
  readonly createCipheriv: NodeCipherMaker;
  readonly createDecipheriv: NodeCipherMaker;
  createPublicKey(input: {
    readonly key: Uint8Array;
    readonly format: 'raw-public';
    readonly asymmetricKeyType: 'ml-kem-1024' | 'x25519';
  }): NodeKey;
  generateKeyPairSync(
    type: 'x25519',
    options: { readonly publicKeyEncoding: { readonly format: 'raw-public' } },
  ): { readonly privateKey: NodeKey; readonly publicKey: Uint8Array };
  diffieHellman(keys: { readonly privateKey: NodeKey; readonly publicKey: NodeKey }): Uint8Array;
  encapsulate(key: NodeKey): { readonly ciphertext: Uint8Array; readonly sharedKey: Uint8Array };
};

type PlatformGlobals = {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  readonly crypto: {
    readonly subtle?: PlatformSubtle;
    getRandomValues(target: Uint8Array): Uint8Array;
  };
  readonly TextEncoder: new () => { encode(text: string): Bytes };
  readonly TextDecoder: new (
    label: string,
    options: { fatal: boolean; ignoreBOM: boolean },
  ) => { decode(bytes: Uint8Array): string };
};

const globals = globalThis as unknown as PlatformGlobals;

/** Returns the host's WebCrypto, or null in an insecure context. */
export function findSubtle(): PlatformSubtle | null {
  return globals.crypto.subtle ?? null;
}

/** Returns Node's crypto module, or null outside Node: browsers, workers, WebViews. */
export function findNodeCrypto(): NodeCrypto | null {
  return (globals.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined) ?? null;
}

/**
 * Fills `target` from the host's random source; at most 65,536 bytes per call (a platform limit).
 */
export function fillRandom(target: Uint8Array): void {
  globals.crypto.getRandomValues(target);
}

const encoder = new globals.TextEncoder();
// ignoreBOM keeps a leading U+FEFF as text, so decoding is the exact inverse of encoding.
const decoder = new globals.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the UTF-8 bytes of `text`. */
export function encodeUtf8(text: string): Bytes {
  return encoder.encode(text);
}

/** Returns the text of UTF-8 `bytes`. Throws TypeError when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

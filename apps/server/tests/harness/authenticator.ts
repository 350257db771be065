/**
 * An in-memory security key that implements the part of WebAuthn visible to the server: P-256 keys,
 * a counter, and responses in which a test can falsify every part. It encodes bytes itself, so that
 * it shares no code with the implementation under test.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;

const head = (major: number, value: number): Buffer =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);

/** Encodes the CBOR (RFC 8949) that attestations need. */
export function encodeCbor(item: Cbor): Buffer {
  if (typeof item === 'number') return item >= 0 ? head(0, item) : head(1, -1 - item);
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)]);
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item]);
  const entries = [...item].flatMap(([key, value]) => [encodeCbor(key), encodeCbor(value)]);
  return Buffer.concat([head(5, item.size), ...entries]);
}

/** Parts of a response that a test can falsify or change. */
export type Twist = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly counter?: number;
  /** Whether the user touched the key. */
  readonly isTouched?: boolean;
  /** Replaces the empty attestation: its format and its statement. */
  readonly attestation?: readonly [string, ReadonlyMap<string, Cbor>];
};

const USER_PRESENT = 0x01;
const HAS_KEY = 0x40;

const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

function coseOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return encodeCbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

const challengeOf = (options: Readonly<Record<string, unknown>>): string => String(options.challenge);

export function createAuthenticator() {
  const credentialId = randomBytes(32);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let counter = 0;

  const dataOf = (twist: Twist, extra: Uint8Array, flags: number): Buffer => {
    counter = twist.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const present = twist.isTouched === false ? 0 : USER_PRESENT;
    return Buffer.concat([
      sha256(Buffer.from(twist.rpId ?? 'localhost')),
      Buffer.from([flags | present]),
      count,
      extra,
    ]);
  };
  const clientData = (type: string, options: Readonly<Record<string, unknown>>, twist: Twist): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: twist.challenge ?? challengeOf(options),
        origin: twist.origin ?? 'http://localhost:5173',
        crossOrigin: false,
      }),
    );
  const named = { id: b64(credentialId), rawId: b64(credentialId), type: 'public-key' as const };

  return {
    /** Returns the result of `navigator.credentials.create`. */
    create: (options: Readonly<Record<string, unknown>>, twist: Twist = {}) => {
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseOf(publicKey)]);
      const [fmt, attStmt] = twist.attestation ?? ['none', new Map()];
      const attestationObject = encodeCbor(
        new Map<string, Cbor>([
          ['fmt', fmt],
          ['attStmt', attStmt],
          ['authData', dataOf({ counter: 0, ...twist }, attested, HAS_KEY)],
        ]),
      );
      return {
        ...named,
        response: {
          clientDataJSON: b64(clientData('webauthn.create', options, twist)),
          attestationObject: b64(attestationObject),
          transports: ['usb', 'telepathy'],
        },
        clientExtensionResults: {},
      };
    },
    /** Returns the result of `navigator.credentials.get`. */
    get: (options: Readonly<Record<string, unknown>>, twist: Twist = {}) => {
      const client = clientData('webauthn.get', options, twist);
      const data = dataOf(twist, Buffer.alloc(0), 0);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...named,
        response: {
          clientDataJSON: b64(client),
          authenticatorData: b64(data),
          signature: b64(signature),
        },
        clientExtensionResults: {},
      };
    },
  };
}
export type Authenticator = ReturnType<typeof createAuthenticator>;

/**
 * The device side of Web Push for tests: subscriptions with their own keys, and decryption of
 * messages (RFC 8188, RFC 8291). Written from the RFCs, so that the sender is not tested against
 * itself.
 */
import { createDecipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto';

export type Subscription = {
  /** Token in the form in which a client registers it. */
  readonly token: string;
  readonly ecdh: ECDH;
  readonly auth: Buffer;
};

/** Creates a subscription with an endpoint. */
export function pushSubscription(endpoint: string): Subscription {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: ecdh.getPublicKey().toString('base64url'), auth: auth.toString('base64url') };
  return { token: JSON.stringify({ endpoint, keys }), ecdh, auth };
}

function hmac(key: Uint8Array, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

const SALT_BYTES = 16;
const TAG_BYTES = 16;
const ONE = Uint8Array.of(1);

/**
 * Decrypts a message of one record. Throws when it is not for this subscription or violates the
 * RFCs.
 */
export function openPush({ ecdh, auth }: Pick<Subscription, 'auth' | 'ecdh'>, body: Buffer): Buffer {
  const salt = body.subarray(0, SALT_BYTES);
  const idLength = body[SALT_BYTES + 4] ?? 0;
  const start = SALT_BYTES + 5;
  const sender = body.subarray(start, start + idLength);
  const record = body.subarray(start + idLength);
  if (record.length > body.readUInt32BE(SALT_BYTES)) throw new Error('More than one record');
  const shared = ecdh.computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const ikm = hmac(hmac(auth, shared), info, ONE);
  const prk = hmac(salt, ikm);
  const key = hmac(prk, 'Content-Encoding: aes128gcm\0', ONE).subarray(0, 16);
  const nonce = hmac(prk, 'Content-Encoding: nonce\0', ONE).subarray(0, 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = plain.findLastIndex(byte => byte !== 0);
  if (plain[end] !== 2) throw new Error('No delimiter of a last record');
  return plain.subarray(0, end);
}

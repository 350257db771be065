/**
 * Ed25519 key that signs heads of the key log, derived from the master key. All nodes of a service
 * produce the same signatures, and clients notice when the key changes.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { headBytes } from '@keyfold/crypto/key-log/hashes';
import type { MasterKey } from '../../../base/master-key.ts';

/** PKCS#8 encoding of an Ed25519 key up to its 32 secret bytes (RFC 8410). */
const PKCS8_BEGIN = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_BYTES = 32;

const keys = new WeakMap<MasterKey, { readonly secret: KeyObject; readonly open: Buffer }>();

function keyOf(masterKey: MasterKey) {
  const known = keys.get(masterKey);
  if (known !== undefined) return known;
  const seed = masterKey.digest('key log', 'signing key');
  const der = Buffer.concat([PKCS8_BEGIN, seed]);
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  seed.fill(0);
  der.fill(0);
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' });
  const made = { secret, open: spki.subarray(spki.length - PUBLIC_BYTES) };
  keys.set(masterKey, made);
  return made;
}

/** Returns the public key of the log, 32 bytes. */
export const logKeyOf = (masterKey: MasterKey): Buffer => keyOf(masterKey).open;

/** Returns the signature of a head, 64 bytes. */
export const signHead = (masterKey: MasterKey, size: number, root: Uint8Array): Buffer =>
  sign(null, headBytes(size, root), keyOf(masterKey).secret);

/**
 * Signs the list of the web client's files for service workers, which pin the key at the first
 * visit (ADR 44). The Ed25519 key is derived from the master key: every machine of a service has
 * the same key, and backups restore it. The signature proves that the list comes from this service,
 * not that the service is honest.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { MasterKey } from '../base/master-key.ts';

/** Prefix of the signed data, so that no other signature of the service is valid for a list. */
const CONTEXT = 'keyfold web client\n';
/** PKCS #8 prefix of an Ed25519 key, before its 32 bytes (RFC 8410, section 7). */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');
const RAW_BYTES = 32;

export type SignedClient = {
  /** The text of hashes.txt. */
  readonly list: string;
  /** The raw public key, base64. */
  readonly key: string;
  /** Ed25519 over the context and the list, base64. */
  readonly signature: string;
};

/** Derives the service's key for its web client. */
export const createClientKey = (masterKey: MasterKey): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PKCS8_START, masterKey.digest('web client signing key')]),
    format: 'der',
    type: 'pkcs8',
  });

export const signClient = (key: KeyObject, list: string): SignedClient => ({
  list,
  key: createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES).toString('base64'),
  signature: sign(null, Buffer.from(CONTEXT + list), key).toString('base64'),
});

/** Signs the list in `file` again whenever it changes; returns null while there is none. */
export function createSignedClient(masterKey: MasterKey, file: string): () => SignedClient | null {
  const key = createClientKey(masterKey);
  let known: { readonly changedAtMs: number; readonly signed: SignedClient } | null = null;
  return () => {
    const changedAtMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAtMs === undefined) return null;
    if (known?.changedAtMs !== changedAtMs)
      known = { changedAtMs, signed: signClient(key, readFileSync(file, 'utf8')) };
    return known.signed;
  };
}

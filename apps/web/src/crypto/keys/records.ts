// Seals and opens, inside the key worker, the small private records that users store on the server:
// templates, settings, past correspondents (contract `records`). The server can read a record's
// name but not its content.
import { openRecord as openBytes, sealRecord as sealBytes } from '@keyfold/crypto/record';
import { getVault } from './vault-keeper.ts';

/** Seals a JSON-serializable value. */
export async function sealRecord(kind: string, id: string, value: unknown): Promise<string> {
  const plain = new TextEncoder().encode(JSON.stringify(value));
  return sealBytes(getVault().identity.sent_key, { kind, id }, plain).finally(() => plain.fill(0));
}

/**
 * Seals a value for the server and names the keys used: the server rejects records sealed under
 * replaced keys.
 */
export async function sealOwnRecord(
  kind: string,
  id: string,
  value: unknown,
): Promise<{ readonly sealed: string; readonly key_used: string }> {
  const { key_id } = getVault().identity;
  const sealed = await sealRecord(kind, id, value);
  if (getVault().identity.key_id !== key_id) throw new Error('Vault not found. Please login again.');
  return { sealed, key_used: key_id };
}

/**
 * Opens with the current keys, then with earlier ones: a record that was not re-sealed yet still
 * belongs to the user.
 */
async function openAny(kind: string, id: string, sealed: string): Promise<Uint8Array<ArrayBuffer>> {
  const { identity, retired } = getVault();
  const first = openBytes(identity.sent_key, { kind, id }, sealed);
  if (retired.length === 0) return first;
  return Promise.any([
    first,
    ...retired.map(one => openBytes(one.identity.sent_key, { kind, id }, sealed)),
  ]).catch(() => first);
}

/**
 * Returns the value that was sealed under this name; the caller must validate its shape. Rejects
 * when it does not open.
 */
export async function openRecord(kind: string, id: string, sealed: string): Promise<unknown> {
  const plain = await openAny(kind, id, sealed);
  try {
    return JSON.parse(new TextDecoder().decode(plain)) as unknown;
  } finally {
    plain.fill(0);
  }
}

// Seals and opens, inside the key worker, the small things a user keeps for themselves on the server: templates, settings,
// the people they wrote to (contract `records`). The name of a record is readable to the server, its content is not.
import { openRecord as openBytes, sealRecord as sealBytes } from '@keyfold/crypto/record';
import { getVault } from './vault-keeper.ts';

/** Seals a value that JSON can hold. */
export async function sealRecord(kind: string, id: string, value: unknown): Promise<string> {
  const plain = new TextEncoder().encode(JSON.stringify(value));
  return sealBytes(getVault().identity.sent_key, { kind, id }, plain).finally(() => plain.fill(0));
}

/** The same for the server, which is told the keys: it takes nothing that is sealed under replaced ones. */
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

/** Opens with the keys in use, else with those before them: a record that was not sealed anew yet is still one's own. */
async function openAny(kind: string, id: string, sealed: string): Promise<Uint8Array<ArrayBuffer>> {
  const { identity, retired } = getVault();
  const first = openBytes(identity.sent_key, { kind, id }, sealed);
  if (retired.length === 0) return first;
  return Promise.any([
    first,
    ...retired.map(one => openBytes(one.identity.sent_key, { kind, id }, sealed)),
  ]).catch(() => first);
}

/** The value that was sealed under this name; its shape is for the caller to check. Rejects when it does not open. */
export async function openRecord(kind: string, id: string, sealed: string): Promise<unknown> {
  const plain = await openAny(kind, id, sealed);
  try {
    return JSON.parse(new TextDecoder().decode(plain)) as unknown;
  } finally {
    plain.fill(0);
  }
}

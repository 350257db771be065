// Seals and opens, inside the key worker, the small things a user keeps for themselves on the server: templates, settings,
// the people they wrote to (contract `records`). The name of a record is readable to the server, its content is not.
import { openRecord as openBytes, sealRecord as sealBytes } from '@keyfold/crypto/record';
import { getVault } from './vault-keeper.ts';

/** Seals a value that JSON can hold. */
export async function sealRecord(kind: string, id: string, value: unknown): Promise<string> {
  const plain = new TextEncoder().encode(JSON.stringify(value));
  return sealBytes(getVault().identity.sent_key, { kind, id }, plain).finally(() => plain.fill(0));
}

/** The value that was sealed under this name; its shape is for the caller to check. Rejects when it does not open. */
export async function openRecord(kind: string, id: string, sealed: string): Promise<unknown> {
  const plain = await openBytes(getVault().identity.sent_key, { kind, id }, sealed);
  try {
    return JSON.parse(new TextDecoder().decode(plain)) as unknown;
  } finally {
    plain.fill(0);
  }
}

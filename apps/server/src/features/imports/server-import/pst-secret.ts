/**
 * What the row of an import knows of its file, sealed under the master key for this import alone: the key that opens it, and,
 * once it is there and lies outside of this machine, by what it is known again.
 */
import type { Deps } from '../../../context/deps.ts';
import { PST_KEY_BYTES } from './pst-file.ts';

/** What secrets and receipts of these imports are made for. */
export const PST_KEY_PURPOSE = 'pst-import';

type Sealer = Pick<Deps, 'masterKey'>;

export function sealPstSecret(
  { masterKey }: Sealer,
  importId: string,
  key: Uint8Array,
  digest: Uint8Array = new Uint8Array(),
): Buffer {
  const secret = Buffer.concat([key, digest]);
  try {
    return masterKey.seal(PST_KEY_PURPOSE, importId, secret);
  } finally {
    secret.fill(0);
  }
}

/** Opens it. Throws when it was sealed for another import, or under another master key. */
export function openPstSecret(
  { masterKey }: Sealer,
  importId: string,
  sealed: Buffer,
): { readonly key: Uint8Array; readonly digest: Uint8Array } {
  const secret = masterKey.open(PST_KEY_PURPOSE, importId, sealed);
  return { key: secret.subarray(0, PST_KEY_BYTES), digest: secret.subarray(PST_KEY_BYTES) };
}

/**
 * Secret in an import's row about its file, sealed under the master key for this import alone: the
 * decryption key and, for a file stored outside this machine, the digest that verifies it.
 */
import type { Deps } from '../../../context/deps.ts';
import { PST_KEY_BYTES } from './pst-file.ts';

/** Purpose of the secrets and receipts of these imports. */
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

/** Opens the secret. Throws when it was sealed for another import, or under another master key. */
export function openPstSecret(
  { masterKey }: Sealer,
  importId: string,
  sealed: Buffer,
): { readonly key: Uint8Array; readonly digest: Uint8Array } {
  const secret = masterKey.open(PST_KEY_PURPOSE, importId, sealed);
  return { key: secret.subarray(0, PST_KEY_BYTES), digest: secret.subarray(PST_KEY_BYTES) };
}

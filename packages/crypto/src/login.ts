// Derives the login hash that a client sends in place of its password
// (docs/wire-format.md#passwords). The server treats it as a password and stores only a salted
// memory-hard hash of it. Client only: the server never imports this file.

import { encodeHex, wipe } from './bytes.ts';
import { deriveFromPassword } from './derivation.ts';

export { normalizeEmail } from './derivation.ts';

/**
 * Returns the login hash, 64 lowercase hex digits, from one Argon2id run. `email` is the
 * registration address.
 */
export async function deriveLoginHash(password: string, email: string): Promise<string> {
  const hash = await deriveFromPassword(password, email, '');
  try {
    return encodeHex(hash);
  } finally {
    wipe(hash);
  }
}

// The two Argon2id derivations differ only in their salt (docs/wire-format.md#passwords). They
// differ so that the login hash, which the server sees, reveals nothing about the vault key, which
// the server must never see. [Note: Derivation e-mail] The address given at registration
// (`kdf_email`), which never changes.

import { requireSize, wipe } from './bytes.ts';
import { failAs } from './errors.ts';
import {
  ARGON2_LANES,
  ARGON2_MEMORY_KIB,
  ARGON2_OUTPUT_BYTES,
  ARGON2_PASSES,
  ARGON2_SALT_BYTES,
} from './params.ts';
import { type Bytes, encodeUtf8 } from './platform.ts';
import { getPrimitives } from './primitives/select.ts';

const COST = {
  passes: ARGON2_PASSES,
  memoryKib: ARGON2_MEMORY_KIB,
  lanes: ARGON2_LANES,
  outputBytes: ARGON2_OUTPUT_BYTES,
} as const;

/** Returns the address as the derivations use it: trimmed and lowercased. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Returns Argon2id(NFC password, SHA-1(saltPrefix || email)): 32 bytes, about 0.2 to 1 s and 64
 * MiB.
 */
export async function deriveFromPassword(
  password: string,
  email: string,
  saltPrefix: string,
): Promise<Bytes> {
  return failAs('derive_failed', async () => {
    const primitives = await getPrimitives();
    const salt = await primitives.sha1(encodeUtf8(saltPrefix + normalizeEmail(email)));
    requireSize(salt, ARGON2_SALT_BYTES, 'Argon2 salt');
    const secret = encodeUtf8(password.normalize('NFC'));
    try {
      return await primitives.argon2id(secret, salt, COST);
    } finally {
      wipe(secret);
    }
  });
}

// The errors of this package: one code and one exact text each. Where the specification (sections 5
// and 8) gives a text, it is used verbatim. A CryptoError never carries keys, plaintext, addresses
// or subjects. `cause` is kept for debugging and holds only errors of the primitives or short
// descriptions of the mismatch.

/**
 * Code → exact text from docs/spec-map.md 5, 8. The specification has no vault and storage texts;
 * those are Keyfold's.
 */
export const CRYPTO_ERRORS = Object.freeze({
  missing_second_stage_key_bytes: 'Missing second stage key bytes',
  empty_message: 'Trying to encrypt empty message',
  encrypt_failed: 'Failed to encrypt message',
  encrypt_self_failed: 'Failed to encrypt message for self',
  dh_failed: 'Failed to generate dh shared secret',
  missing_salt: 'Missing salt',
  missing_second_stage_key: 'Missing second stage key',
  decrypt_failed: 'Failed to decrypt message',
  decrypt_self_failed: 'Failed to decrypt message for self',
  vault_lock_failed: 'Failed to lock vault',
  vault_unlock_failed: 'Failed to unlock vault',
  vault_mismatch: 'Vault keys do not match',
  local_open_failed: 'Failed to open stored data',
  record_seal_failed: 'Failed to seal stored data',
  derive_failed: 'Failed to derive key',
  recovery_phrase_invalid: 'Recovery phrase is not valid',
  key_log_refused: 'The key log does not add up',
} as const);

/** Stable error code for programs. */
export type CryptoErrorCode = keyof typeof CRYPTO_ERRORS;

/** The only error this package throws deliberately. `message` is the exact text of its code. */
export class CryptoError extends Error {
  override readonly name = 'CryptoError';
  readonly code: CryptoErrorCode;

  constructor(code: CryptoErrorCode, cause?: unknown) {
    super(CRYPTO_ERRORS[code], cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

const PASSED_THROUGH: ReadonlySet<CryptoErrorCode> = new Set([
  'missing_second_stage_key_bytes',
  'empty_message',
  'missing_salt',
  'missing_second_stage_key',
  'vault_mismatch',
]);

/**
 * Runs `work` and rethrows any error as `code` with the original as cause. The validation errors of
 * docs/spec-map.md 5 and those listed in `keep` pass through with their own text.
 */
export async function failAs<T>(
  code: CryptoErrorCode,
  work: () => Promise<T>,
  keep: readonly CryptoErrorCode[] = [],
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const own = error instanceof CryptoError ? error.code : null;
    if (own !== null && (own === code || PASSED_THROUGH.has(own) || keep.includes(own))) throw error;
    throw new CryptoError(code, error);
  }
}

// Freezes every number and label of the wire format. A failure here means that stored mail would no longer open.

import { expect, it } from 'vitest';
import * as params from './params.ts';

it('has the sizes and labels of wire format 1', () => {
  expect({ ...params }).toEqual({
    ARGON2_PASSES: 3,
    ARGON2_MEMORY_KIB: 65_536,
    ARGON2_LANES: 1,
    ARGON2_OUTPUT_BYTES: 32,
    ARGON2_SALT_BYTES: 20,
    VAULT_SALT_PREFIX: 'vault',
    MLKEM_SEED_BYTES: 64,
    MLKEM_PUBLIC_BYTES: 1568,
    MLKEM_CIPHERTEXT_BYTES: 1568,
    MLKEM_SECRET_BYTES: 32,
    MLKEM_RANDOMNESS_BYTES: 32,
    X25519_PRIVATE_BYTES: 32,
    X25519_PUBLIC_BYTES: 32,
    X25519_SECRET_BYTES: 32,
    SENT_KEY_BYTES: 32,
    FINGERPRINT_BYTES: 20,
    MESSAGE_KEY_BYTES: 32,
    FILE_KEY_BYTES: 32,
    VAULT_KEY_BYTES: 32,
    AES_BLOCK_BYTES: 16,
    CBC_IV_BYTES: 16,
    GCM_IV_BYTES: 12,
    GCM_TAG_BYTES: 16,
    WRAP_SALT_BYTES: 32,
    WRAP_KEY_BYTES: 32,
    WRAP_INFO: 'message-key',
    BINDING_BYTES: 32,
    SUMMARY_LABEL: 'KFS1',
    SUMMARY_SNIPPET_CHARACTERS: 200,
    CONTAINER_MAGIC: 'KFA1',
    CHUNK_BYTES: 1_048_576,
    CONTAINER_META_MAX_BYTES: 65_535,
    LOCAL_LABEL: 'KFL1',
    RECOVERY_ENTROPY_BYTES: 32,
    RECOVERY_WORD_COUNT: 24,
    RECOVERY_WORD_BITS: 11,
    RECOVERY_PROOF_BYTES: 32,
    RECOVERY_KEY_INFO: 'recovery-key',
    RECOVERY_PROOF_INFO: 'recovery-proof',
  });
});

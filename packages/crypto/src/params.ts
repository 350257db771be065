// Every number and label of the wire format, version 1 (docs/crypto.md). Sizes are in bytes unless
// the name says otherwise. This package may contain no other literal sizes or labels. Changing one
// makes all stored mail unreadable. docs/spec-map.md 9.24, 9.30, 9.31 (cryptography); where the
// specification allows two readings, the comment says which one was chosen and why.

/** Argon2id passes over memory. docs/spec-map.md 9.24, 9.30, 9.31: 3 iterations. */
export const ARGON2_PASSES = 3;
/** Argon2id memory in KiB. docs/spec-map.md 9.24, 9.30, 9.31: 65536, which is 64 MiB. */
export const ARGON2_MEMORY_KIB = 65_536;
/** Argon2id lanes. docs/spec-map.md 9.24, 9.30, 9.31: parallelism 1. */
export const ARGON2_LANES = 1;
/** Output of both password derivations. docs/spec-map.md 9.24, 9.30, 9.31. */
export const ARGON2_OUTPUT_BYTES = 32;
/** Argon2 salt: the 20 raw bytes of SHA-1, not its 40 hex digits. */
export const ARGON2_SALT_BYTES = 20;
/**
 * Prefix of the address in the vault key's salt, SHA-1("vault" || email). docs/spec-map.md 9.24,
 * 9.30, 9.31.
 */
export const VAULT_SALT_PREFIX = 'vault';

/**
 * ML-KEM-1024 private key as stored: the FIPS 203 seed d||z. docs/spec-map.md 9.24, 9.30, 9.31
 * mentions 64 and 32; 32 is the size of the encapsulation randomness m, so only 64 can be the size
 * of a private key.
 */
export const MLKEM_SEED_BYTES = 64;
/** ML-KEM-1024 encapsulation (public) key. FIPS 203 table 3; docs/spec-map.md 5.25. */
export const MLKEM_PUBLIC_BYTES = 1568;
/** ML-KEM-1024 ciphertext. FIPS 203 table 3. */
export const MLKEM_CIPHERTEXT_BYTES = 1568;
/** ML-KEM shared secret. FIPS 203 table 3. */
export const MLKEM_SECRET_BYTES = 32;
/** Encapsulation randomness m; the "seed 32" of docs/spec-map.md 5. */
export const MLKEM_RANDOMNESS_BYTES = 32;
/** X25519 private key. RFC 7748, docs/spec-map.md 9. */
export const X25519_PRIVATE_BYTES = 32;
/** X25519 public key. RFC 7748. */
export const X25519_PUBLIC_BYTES = 32;
/** X25519 shared secret. RFC 7748; an all-zero secret is refused. */
export const X25519_SECRET_BYTES = 32;
/** Key that seals the user's own copies and records. docs/spec-map.md 9.24, 9.30, 9.31. */
export const SENT_KEY_BYTES = 32;
/** SHA-1 fingerprint of dh_public || mlkem_public, also called key_id. docs/spec-map.md 3. */
export const FINGERPRINT_BYTES = 20;

/** Message key (the specification's second-stage key), AES-256. */
export const MESSAGE_KEY_BYTES = 32;
/** Key of one attachment container, AES-256. */
export const FILE_KEY_BYTES = 32;
/** Vault key, and client key of local storage, AES-256. */
export const VAULT_KEY_BYTES = 32;
/** AES block; PKCS#7 pads to a multiple of it. */
export const AES_BLOCK_BYTES = 16;
/** IV before the AES-CBC body. docs/spec-map.md 9.24, 9.30, 9.31. */
export const CBC_IV_BYTES = 16;
/** IV before every AES-GCM value. docs/spec-map.md 9.24, 9.30, 9.31. */
export const GCM_IV_BYTES = 12;
/** AES-GCM tag, appended to the ciphertext. */
export const GCM_TAG_BYTES = 16;
/** HKDF salt of every key wrap. docs/spec-map.md 9.24, 9.30, 9.31. */
export const WRAP_SALT_BYTES = 32;
/**
 * HKDF output: the AES-256-GCM key that wraps the message key. docs/spec-map.md 9.24, 9.30, 9.31.
 */
export const WRAP_KEY_BYTES = 32;
/** HKDF info of every key wrap, ASCII. docs/spec-map.md 9.24, 9.30, 9.31. */
export const WRAP_INFO = 'message-key';
/** Binding of the body, SHA-256(IV || ciphertext); associated data of every wrap. */
export const BINDING_BYTES = 32;

/** First bytes of a summary's associated data, before the binding. */
export const SUMMARY_LABEL = 'KFS1';
/** Characters of message text kept in a summary. */
export const SUMMARY_SNIPPET_CHARACTERS = 200;

/** First bytes of an attachment container and associated data of its header. */
export const CONTAINER_MAGIC = 'KFA1';
/** Plaintext size of one container chunk: 1 MiB; only the last chunk may be shorter. */
export const CHUNK_BYTES = 1_048_576;
/** Maximum size of the header JSON, because its length is a 16-bit number. */
export const CONTAINER_META_MAX_BYTES = 65_535;

/** First bytes of a value sealed for local storage, and start of its associated data. */
export const LOCAL_LABEL = 'KFL1';

/** Start of a record's associated data, before its kind, a zero byte and its id. */
export const RECORD_LABEL = 'KFR1';
/** HKDF info of the key that seals records; derived from sent_key. */
export const RECORD_INFO = 'records';

/**
 * Start of the associated data of retired keys, before their fingerprint, a zero byte and their
 * generation.
 */
export const RETIRED_LABEL = 'KFO1';
/** HKDF info of the key that seals retired keys; derived from the current sent_key. */
export const RETIRED_INFO = 'retired keys';

/** Start of the associated data of a piece of the search index, before its kind. */
export const SEARCH_LABEL = 'KFX1';
/** HKDF info and size of the name given to an imported message without a Message-ID. */
export const IMPORT_NAME_INFO = 'import-name';
export const IMPORT_NAME_BYTES = 16;
/** HKDF info of the key that seals the search index; derived from sent_key. */
export const SEARCH_INFO = 'search index';
/** Key of the search index, AES-256. */
export const SEARCH_KEY_BYTES = 32;

/** Random bytes of a recovery phrase; one checksum byte follows them. */
export const RECOVERY_ENTROPY_BYTES = 32;
/** Words of a recovery phrase: 264 bits at 11 each. */
export const RECOVERY_WORD_COUNT = 24;
/** Bits per word: the list has 2048 words. */
export const RECOVERY_WORD_BITS = 11;
/** Value that proves to the server that a client knows the phrase. */
export const RECOVERY_PROOF_BYTES = 32;
/** HKDF info of the key that locks the recovery copy of main_key. */
export const RECOVERY_KEY_INFO = 'recovery-key';
/** HKDF info of the proof. */
export const RECOVERY_PROOF_INFO = 'recovery-proof';
/** Start of the hash input of a hidden name. Keyfold's own, not in the specification. */
export const HIDDEN_NAME_LABEL = 'KFN1';

/** SHA-256, the only hash in the key log. Keyfold's own choice, not in the specification. */
export const HASH_BYTES = 32;
/** Labels that separate the domains of the key log's hashes. */
export const KEY_LOG_LABELS = {
  address: 'KFK1 address',
  keys: 'KFK1 keys',
  entry: 'KFK1 entry',
  head: 'KFK1 head',
} as const;
/**
 * Maximum number of nodes between the root of the key log's map and an address; a tag has 256 bits.
 */
export const KEY_LOG_MAX_DEPTH = 255;
/** Characters in a share code that represent its owner's keys: 100 bits. */
export const SHARE_PROOF_CHARACTERS = 20;

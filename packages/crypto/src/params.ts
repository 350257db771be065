// Every number and label of the wire format, version 1 (docs/crypto.md). Sizes are bytes unless the name says
// otherwise. No other literal size or label may appear in this package. Changing one breaks every stored mail.
// docs/spec-map.md 9.24, 9.30, 9.31 (cryptography); where it gives two readings, the line says which was taken and why.

/** Argon2id passes over memory. docs/spec-map.md 9.24, 9.30, 9.31: 3 iterations. */
export const ARGON2_PASSES = 3;
/** Argon2id memory in KiB. docs/spec-map.md 9.24, 9.30, 9.31: 65536, that is 64 MiB. */
export const ARGON2_MEMORY_KIB = 65_536;
/** Argon2id lanes. docs/spec-map.md 9.24, 9.30, 9.31: parallelism 1. */
export const ARGON2_LANES = 1;
/** Output of both password derivations. docs/spec-map.md 9.24, 9.30, 9.31. */
export const ARGON2_OUTPUT_BYTES = 32;
/** Argon2 salt: the 20 raw bytes of SHA-1, not its 40 hex digits. */
export const ARGON2_SALT_BYTES = 20;
/** Prefix of the e-mail in the vault key's salt, SHA-1("vault" || email). docs/spec-map.md 9.24, 9.30, 9.31. */
export const VAULT_SALT_PREFIX = 'vault';

/** ML-KEM-1024 private key as stored: the FIPS 203 seed d||z. docs/spec-map.md 9.24, 9.30, 9.31 names 64 and 32; 32 is the size of the
 * encapsulation randomness m, so 64 is the only size that can be a private key. */
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
/** X25519 shared secret. RFC 7748; all zero is refused. */
export const X25519_SECRET_BYTES = 32;
/** The key that seals what one keeps for oneself. docs/spec-map.md 9.24, 9.30, 9.31. */
export const SENT_KEY_BYTES = 32;
/** SHA-1 fingerprint of dh_public || mlkem_public, also called key_id. docs/spec-map.md 3. */
export const FINGERPRINT_BYTES = 20;

/** Message key (the specification's second-stage key), AES-256. */
export const MESSAGE_KEY_BYTES = 32;
/** Key of one attachment container, AES-256. */
export const FILE_KEY_BYTES = 32;
/** The vault key and the client key of local storage, AES-256. */
export const VAULT_KEY_BYTES = 32;
/** AES block; PKCS#7 pads to a multiple of it. */
export const AES_BLOCK_BYTES = 16;
/** IV in front of the AES-CBC body. docs/spec-map.md 9.24, 9.30, 9.31. */
export const CBC_IV_BYTES = 16;
/** IV in front of every AES-GCM value. docs/spec-map.md 9.24, 9.30, 9.31. */
export const GCM_IV_BYTES = 12;
/** AES-GCM tag, appended to the ciphertext. */
export const GCM_TAG_BYTES = 16;
/** HKDF salt of every key wrap. docs/spec-map.md 9.24, 9.30, 9.31. */
export const WRAP_SALT_BYTES = 32;
/** HKDF output: the AES-256-GCM key that wraps the message key. docs/spec-map.md 9.24, 9.30, 9.31. */
export const WRAP_KEY_BYTES = 32;
/** HKDF info of every key wrap, ASCII. docs/spec-map.md 9.24, 9.30, 9.31. */
export const WRAP_INFO = 'message-key';
/** The body's binding, SHA-256(IV || ciphertext); associated data of every wrap. */
export const BINDING_BYTES = 32;

/** First bytes of a summary's associated data, before the binding. */
export const SUMMARY_LABEL = 'KFS1';
/** Characters of text a summary keeps of the message. */
export const SUMMARY_SNIPPET_CHARACTERS = 200;

/** First bytes of an attachment container and associated data of its header. */
export const CONTAINER_MAGIC = 'KFA1';
/** Plaintext of one container chunk: 1 MiB; only the last may be shorter. */
export const CHUNK_BYTES = 1_048_576;
/** Largest header JSON: its length is a 16-bit number. */
export const CONTAINER_META_MAX_BYTES = 65_535;

/** First bytes of a value sealed for local storage, also the start of its associated data. */
export const LOCAL_LABEL = 'KFL1';

/** Start of a record's associated data, before its kind, a zero byte and its id. */
export const RECORD_LABEL = 'KFR1';
/** HKDF info of the key that seals records, from sent_key. */
export const RECORD_INFO = 'records';

/** Start of the associated data of retired keys, before their fingerprint, a zero byte and their generation. */
export const RETIRED_LABEL = 'KFO1';
/** HKDF info of the key that seals retired keys, from the sent_key in use. */
export const RETIRED_INFO = 'retired keys';

/** Start of the associated data of a piece of the search index, before its kind. */
export const SEARCH_LABEL = 'KFX1';
/** HKDF info and bytes of the name that an imported message without a Message-ID is given. */
export const IMPORT_NAME_INFO = 'import-name';
export const IMPORT_NAME_BYTES = 16;
/** HKDF info of the key that seals the search index, from sent_key. */
export const SEARCH_INFO = 'search index';
/** The key of the search index, AES-256. */
export const SEARCH_KEY_BYTES = 32;

/** Random bits of a recovery phrase; one checksum byte follows them. */
export const RECOVERY_ENTROPY_BYTES = 32;
/** Words of a recovery phrase: 264 bits at 11 each. */
export const RECOVERY_WORD_COUNT = 24;
/** Bits that one word carries: the list has 2048. */
export const RECOVERY_WORD_BITS = 11;
/** What a client shows the server to prove that it knows the phrase. */
export const RECOVERY_PROOF_BYTES = 32;
/** HKDF info of the key that locks the recovery copy of main_key. */
export const RECOVERY_KEY_INFO = 'recovery-key';
/** HKDF info of the proof. */
export const RECOVERY_PROOF_INFO = 'recovery-proof';
/** Begins what a hidden name is made of; ours. */
export const HIDDEN_NAME_LABEL = 'KFN1';

/** SHA-256, of which everything in the key log is made; ours. */
export const HASH_BYTES = 32;
/** What keeps the hashes of the key log apart. */
export const KEY_LOG_LABELS = {
  address: 'KFK1 address',
  keys: 'KFK1 keys',
  entry: 'KFK1 entry',
  head: 'KFK1 head',
} as const;
/** Nodes between the root of the key log's map and an address at most; a tag has 256 bits. */
export const KEY_LOG_MAX_DEPTH = 255;
/** Characters that a share code carries of its owner's keys: 100 bits. */
export const SHARE_PROOF_CHARACTERS = 20;

// Types of the values that cross the wire or the package boundary, named as in the specification
// (section 3) and docs/wire-format.md#sealing. Types only. Binary values are base64 where the type
// is string, raw where it is bytes.

import type { Bytes } from './platform.ts';

/**
 * Unlocked key pairs and keys of one account. Everything but the two public keys and key_id is
 * secret.
 */
export type Identity = {
  /** Base64 of SHA-1(dh_public || mlkem_public). */
  readonly key_id: string;
  /** 1568 bytes. */
  readonly mlkem_public: Bytes;
  /** Secret, 64 bytes: the FIPS 203 seed. */
  readonly mlkem_private: Bytes;
  /** 32 bytes. */
  readonly dh_public: Bytes;
  /** Secret, 32 bytes. */
  readonly dh_private: Bytes;
  /** Secret, 32 bytes: seals the user's own copies and records. */
  readonly sent_key: Bytes;
};

/** Public half of any account's keys. */
export type PublicKeys = {
  readonly mlkem_public: Uint8Array;
  readonly dh_public: Uint8Array;
};

/**
 * Recipient whose keys are known. A given fingerprint is checked against the keys and refused if it
 * differs.
 */
export type KeyedRecipient = PublicKeys & {
  readonly email: string;
  readonly fingerprint?: string;
};

/** Recipient without keys; a bare address string is equivalent. */
export type PlaintextRecipient = {
  readonly email: string;
  readonly plaintext: true;
};

export type SealRecipient = string | PlaintextRecipient | KeyedRecipient;

/** The sender's static X25519 pair, so that the reader can match it to a contact. */
export type SenderKeys = {
  readonly dh_private: Uint8Array;
  readonly dh_public: Uint8Array;
};

/** Keys needed to seal the user's own copy. */
export type SelfKeys = {
  readonly email: string;
  readonly sent_key: Uint8Array;
  readonly key_id: string;
};

/** Wrap of the message key for one other reader. */
export type KeyedEntry = {
  readonly email: string;
  readonly mlkem_ciphertext: string;
  readonly second_stage_key_encrypted: string;
  readonly salt: string;
  readonly key_used: string;
  readonly plaintext: false;
};

/** Wrap of the message key for the sender: no KEM part. */
export type SelfEntry = {
  readonly email: string;
  readonly second_stage_key_encrypted: string;
  readonly salt: string;
  readonly key_used: string;
  readonly plaintext: false;
};

export type RecipientEntry = KeyedEntry | SelfEntry | PlaintextRecipient;

/** Key wrap of a received message. Absent `ciphertext` or `dh_public` means the self path. */
export type ReceivedWrap = {
  readonly ciphertext?: string | null | undefined;
  readonly encrypted_key?: string | null | undefined;
  readonly dh_public?: string | null | undefined;
  readonly salt?: string | null | undefined;
  /** Fingerprint of the reader's keys that the wrap is for. It selects keys and proves nothing. */
  readonly key_used?: string | null | undefined;
};

/** Message as received, with its body: base64, or the same bytes raw. */
export type ReceivedMessage = ReceivedWrap & {
  readonly body: string | Uint8Array;
};

/** List row: the summary and, since there is no body, the binding the server stores beside it. */
export type ReceivedSummary = ReceivedWrap & {
  readonly summary: string;
  readonly binding: string | Uint8Array;
};

export type SummaryAddress = {
  readonly name: string;
  readonly address: string;
};

/** Message data shown in a list; sealed under the message key. docs/wire-format.md#summaries. */
export type MessageSummary = {
  readonly subject: string;
  readonly from: SummaryAddress;
  readonly to: readonly SummaryAddress[];
  readonly cc: readonly SummaryAddress[];
  /** ISO 8601. */
  readonly date: string;
  /** At most 200 characters; sealing truncates longer text. */
  readonly snippet: string;
  readonly attachments: number;
  readonly invite: boolean;
};

/** Vault as the server stores it: private parts sealed under the vault key. docs/spec-map.md 3. */
export type MainKey = {
  readonly mlkem_public_key: string;
  readonly mlkem_private_key_encrypted: string;
  readonly dh_public_key: string;
  readonly dh_private_key_encrypted: string;
  /** Also sealed, although its name in the specification lacks the suffix. */
  readonly sent_key: string;
  readonly key_id: string;
};

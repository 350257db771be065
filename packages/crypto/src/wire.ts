// The shapes that cross the wire or the package border, under the names of the specification (section 3) and of
// docs/wire-format.md#sealing. Types only. Binary values are base64 where the type says string, raw where it says bytes.

import type { Bytes } from './platform.ts';

/** One account's key pairs and keys, unlocked. Everything but the two public keys and key_id is secret. */
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
  /** Secret, 32 bytes: seals what one keeps for oneself. */
  readonly sent_key: Bytes;
};

/** The public half of anybody's keys. */
export type PublicKeys = {
  readonly mlkem_public: Uint8Array;
  readonly dh_public: Uint8Array;
};

/** A recipient whose keys are known. A given fingerprint is checked against the keys and refused if it differs. */
export type KeyedRecipient = PublicKeys & {
  readonly email: string;
  readonly fingerprint?: string;
};

/** A recipient without keys; the bare address means the same. */
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

/** What sealing for oneself needs. */
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

/** Wrap of the message key for oneself: no KEM part. */
export type SelfEntry = {
  readonly email: string;
  readonly second_stage_key_encrypted: string;
  readonly salt: string;
  readonly key_used: string;
  readonly plaintext: false;
};

export type RecipientEntry = KeyedEntry | SelfEntry | PlaintextRecipient;

/** The key wrap of a mail as received. Absent `ciphertext` or `dh_public` means the self path. */
export type ReceivedWrap = {
  readonly ciphertext?: string | null | undefined;
  readonly encrypted_key?: string | null | undefined;
  readonly dh_public?: string | null | undefined;
  readonly salt?: string | null | undefined;
  /** Fingerprint of the reader's keys that it is for: it selects keys, and proves nothing. */
  readonly key_used?: string | null | undefined;
};

/** A mail as received, with its body: base64, or the same bytes raw. */
export type ReceivedMessage = ReceivedWrap & {
  readonly body: string | Uint8Array;
};

/** A row of a list: the summary and, since there is no body, the binding the server keeps beside it. */
export type ReceivedSummary = ReceivedWrap & {
  readonly summary: string;
  readonly binding: string | Uint8Array;
};

export type SummaryAddress = {
  readonly name: string;
  readonly address: string;
};

/** What a list shows of a message; sealed under the message key. docs/wire-format.md#summaries. */
export type MessageSummary = {
  readonly subject: string;
  readonly from: SummaryAddress;
  readonly to: readonly SummaryAddress[];
  readonly cc: readonly SummaryAddress[];
  /** ISO 8601. */
  readonly date: string;
  /** At most 200 characters; longer text is cut when sealing. */
  readonly snippet: string;
  readonly attachments: number;
  readonly invite: boolean;
};

/** The vault as the server keeps it: private parts sealed under the vault key. docs/spec-map.md 3. */
export type MainKey = {
  readonly mlkem_public_key: string;
  readonly mlkem_private_key_encrypted: string;
  readonly dh_public_key: string;
  readonly dh_private_key_encrypted: string;
  /** Sealed as well, although its name in the specification lacks the suffix. */
  readonly sent_key: string;
  readonly key_id: string;
};

// What the composer writes, before it is sealed: the form in which main thread and key worker exchange it.
import type { Recipient } from '@keyfold/contract';

export type Person = { readonly name: string; readonly address: string };

/** A file already sealed and uploaded. `fileKeyB64` opens it and stands in the payload only. */
export type OutgoingFile = {
  readonly id: string;
  readonly fileKeyB64: string;
  readonly name: string;
  readonly type: string;
  readonly sizeBytes: number;
  /** Content-ID without angle brackets of an image shown inside the text. */
  readonly contentId?: string;
};

export type OutgoingMessage = {
  readonly from: Person;
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly bcc: readonly Person[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Message-ID in angle brackets of the mail that is answered. */
  readonly inReplyTo?: string;
  readonly references: readonly string[];
  readonly files: readonly OutgoingFile[];
  /** ISO time that its Date shall say, for one that goes out later; now when absent. */
  readonly date?: string | undefined;
  /** An invitation, or an answer to one, as the calendar part of the mail. */
  readonly calendar?: { readonly method: string; readonly content: string };
};

/** Public keys of a recipient, or the word that there are none. */
export type MessageRecipient = {
  readonly email: string;
  readonly kind: 'to' | 'cc' | 'bcc';
  readonly keys: {
    readonly mlkem_public: string;
    readonly dh_public: string;
    readonly fingerprint: string;
  } | null;
};

/** The wrap of a message key for oneself, as drafts carry it. */
export type OwnWrap = { readonly key_used: string; readonly encrypted_key: string; readonly salt: string };

/** The sealed parts of a draft call. */
export type SealedDraft = OwnWrap & { readonly body: string; readonly summary: string };

/** The sealed parts of a send call. */
export type SealedMessage = {
  readonly body: string;
  readonly summary: string;
  readonly public_key: string;
  readonly to: readonly Recipient[];
  readonly encryption_key?: string;
};

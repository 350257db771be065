// The composer's content before it is sealed, in the form that the main thread and the key worker
// exchange.
import type { Recipient } from '@keyfold/contract';

export type Person = { readonly name: string; readonly address: string };

/**
 * A file that is already sealed and uploaded. `fileKeyB64` opens it and appears only in the
 * payload.
 */
export type OutgoingFile = {
  readonly id: string;
  readonly fileKeyB64: string;
  readonly name: string;
  readonly type: string;
  readonly sizeBytes: number;
  /** Content-ID, without angle brackets, of an image shown in the text. */
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
  /** Message-ID, in angle brackets, of the message being answered. */
  readonly inReplyTo?: string;
  readonly references: readonly string[];
  readonly files: readonly OutgoingFile[];
  /** ISO time for the Date field of a scheduled message; defaults to now. */
  readonly date?: string | undefined;
  /** An invitation or a reply to one, as the calendar part of the message. */
  readonly calendar?: { readonly method: string; readonly content: string };
};

/** A recipient with public keys, or without any. */
export type MessageRecipient = {
  readonly email: string;
  readonly kind: 'to' | 'cc' | 'bcc';
  readonly keys: {
    readonly mlkem_public: string;
    readonly dh_public: string;
    readonly fingerprint: string;
  } | null;
};

/** The user's own wrap of a message key, as drafts carry it. */
export type OwnWrap = { readonly key_used: string; readonly encrypted_key: string; readonly salt: string };

/** The sealed parts of a draft request. */
export type SealedDraft = OwnWrap & { readonly body: string; readonly summary: string };

/** The sealed parts of a send request. */
export type SealedMessage = {
  readonly body: string;
  readonly summary: string;
  readonly public_key: string;
  readonly to: readonly Recipient[];
  readonly encryption_key?: string;
};

// View model of the mail screen: the props of its components, already decrypted and worded. Built
// by the queries of this feature from the contract's Email and the parsed message; nothing here is
// sent or stored.

import type { DeliveryReport } from '@keyfold/mail/mime/delivery-status';
import type { FailureCause } from '../../../crypto/mail/mail-opener.ts';
import type { Place } from './mail-places.ts';
import type { Unsubscribe } from './unsubscribe.ts';

export type Density = 'comfortable' | 'compact' | 'line';

/**
 * `known`: sealed with a key that we have pinned, or waiting to be sent sealed; `sealed`: sealed
 * with another key; `outside`: received, or waiting to be sent, unsealed; `failed`: not decrypted.
 */
export type Seal = 'known' | 'sealed' | 'outside' | 'failed';

export type TagView = {
  name: string;
  color: string;
};

/** Activity of a row, apart from its flags. */
export type RowActivity = 'none' | 'pending' | 'sending' | 'waiting' | 'unsent';

/** A line of the list: a conversation, represented by its newest message. */
export type MailRowView = {
  id: string;
  threadId: string;
  threadCount: number;
  fromName: string;
  fromAddress: string;
  /**
   * The row names no person: `fromName` is a text, whose initials must not be used for an avatar.
   */
  isNobody?: boolean;
  /**
   * The user's own message among received ones: `fromName` is the recipient, and the row says so.
   */
  isTo?: boolean;
  subject: string;
  snippet: string;
  /** ISO 8601. */
  date: string;
  unread: boolean;
  starred: boolean;
  attachmentCount: number;
  /** Another message of the conversation has files, whether or not this one does. */
  threadHasFiles?: boolean;
  tags: readonly TagView[];
  sealed: Seal;
  /** A notice of the service. */
  alert: boolean;
  /** The place of the message, as far as it determines the available actions. */
  place: Place;
  activity: RowActivity;
  /** Shown before the snippet, such as "27 days left" or "Snoozed". */
  note?: string;
};

export type PersonView = {
  name: string;
  address: string;
};

export type DetailView = {
  label: string;
  value: string;
};

/** How far a message can be trusted; exactly one per message. docs/interface.md#reader. */
export type SecurityView = {
  /**
   * `own` and `own_plain`: sent by the user, sealed for every recipient or not; `notice`: from the
   * service.
   */
  kind:
    | 'verified'
    | 'sealed'
    | 'stored'
    | 'unproven'
    | 'key_changed'
    | 'mismatch'
    | 'failed'
    | 'own'
    | 'own_plain'
    /** Received from the user's own account. */
    | 'from_self'
    | 'notice';
  /** Why the message did not open, when `kind` is `failed`. */
  cause?: FailureCause;
  /** The first name or the address that the sentence is about. */
  person: string;
  /** Algorithm, key id, DKIM, SPF, DMARC. */
  details: readonly DetailView[];
  /**
   * The domain that authenticated the sender of an external message (DMARC), which is the weaker
   * proof; null when none did.
   */
  confirmedDomain: string | null;
  /** When the user's scheduled message will be sent, ISO 8601; null for all other messages. */
  sendAt: string | null;
  /** Whether keys or the sender's domain authenticate the sender. */
  isSenderProven: boolean;
  /**
   * Whether the sender is a contact and is authenticated by keys or the sender's domain
   * (`in_contacts`).
   */
  inContacts: boolean;
  /** Warnings about the sender, as sentences. */
  warnings: readonly string[];
};

export type AttachmentView = {
  id: string;
  name: string;
  sizeBytes: number;
  mimeType: string;
  state: 'ready' | 'loading' | 'failed';
  /** 0 to 100 while loading; null when the length is unknown. */
  progressPercent: number | null;
  canPreview: boolean;
  /** An envelope whose content is shown separately: it can only be saved. */
  isUnpacked?: boolean;
};

/** A page of this app that a notice of the service links to. */
export type NoticeAction = {
  label: string;
  path: string;
  /** For users who did not take the action that the notice reports. */
  isAlarm: boolean;
};

/** The body in the form in which it is rendered. `html` is already sanitized. */
export type BodyView =
  | { kind: 'loading' }
  | { kind: 'empty' }
  | { kind: 'failed' }
  | {
      kind: 'text';
      text: string;
      recovered: boolean;
      isForward: boolean;
      /** A notice of the service: its links lead only to this app. */
      isNotice?: boolean;
      actions?: readonly NoticeAction[];
    }
  /** A report of undelivered mail. */
  | { kind: 'bounce'; report: DeliveryReport; text: string }
  | {
      kind: 'html';
      html: string;
      hasOwnColors: boolean;
      recovered: boolean;
      isForward: boolean;
      /** Returns the whole of a long body, of which `html` is the beginning. */
      openWhole?: () => Promise<string>;
      /** Shows the whole body from now on, with the pictures that the rest references. */
      showWhole?: () => void;
    };

/** Remote images that the sanitizer held back. */
export type RemoteContentView = {
  blockedImages: number;
  knownTrackers: number;
  /** Addresses that may be fetched, without trackers. */
  urls: readonly string[];
  /**
   * Progress while images are fetched and afterwards: how many of the shown images are loaded, and
   * how many failed.
   */
  loading: { done: number; total: number; failed: number } | null;
};

export type MessageView = {
  id: string;
  from: PersonView;
  to: readonly PersonView[];
  cc: readonly PersonView[];
  bcc: readonly PersonView[];
  /** ISO 8601. */
  date: string;
  /** When the sender claims to have written the message, if that differs from `date`; ISO 8601. */
  written: { date: string; isZoneless: boolean } | null;
  snippet: string;
  unread: boolean;
  /** null while unknown. */
  security: SecurityView | null;
  body: BodyView;
  remote: RemoteContentView | null;
  attachments: readonly AttachmentView[];
  /** A draft: opening it opens the composer. */
  isDraft: boolean;
  /** From this service. */
  isNotice: boolean;
  /** In Spam, or deleted from Spam: no remote content is fetched for it. */
  isSpam: boolean;
  /** How to unsubscribe from the mailing list that delivered it. */
  unsubscribe: Unsubscribe | null;
};

export type ConversationView = {
  id: string;
  subject: string;
  /** The subject belongs to a message that did not open: anyone can have written it. */
  isSubjectUnproven: boolean;
  tags: readonly TagView[];
  starred: boolean;
  unread: boolean;
  place: Place;
  /** Oldest first. */
  messages: readonly MessageView[];
  /** Days until it is deleted permanently; null when it is not in Deleted. */
  daysLeft: number | null;
};

export type ListFilter = 'all' | 'unread' | 'starred' | 'attachment';

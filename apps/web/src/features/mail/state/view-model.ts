// What the mail screen shows, already decrypted and worded: the props of its components. Made by the queries of this
// feature out of the contract's Email and the parsed message; nothing here is sent or stored.

import type { DeliveryReport } from '@keyfold/mail/mime/delivery-status';
import type { FailureCause } from '../../../crypto/mail/mail-opener.ts';
import type { Place } from './mail-places.ts';
import type { Unsubscribe } from './unsubscribe.ts';

export type Density = 'comfortable' | 'compact' | 'line';

/**
 * `known`: sealed by a key we have pinned, or waits to be sent sealed; `sealed`: by another key; `outside`: came, or waits
 * to be sent, without that; `failed`: not decrypted.
 */
export type Seal = 'known' | 'sealed' | 'outside' | 'failed';

export type TagView = {
  name: string;
  color: string;
};

/** What is going on with a row apart from its flags. */
export type RowActivity = 'none' | 'pending' | 'sending' | 'waiting' | 'unsent';

/** One line of the list: a conversation, shown by its newest message. */
export type MailRowView = {
  id: string;
  threadId: string;
  threadCount: number;
  fromName: string;
  fromAddress: string;
  /** Nobody is named: `fromName` says so in words, whose first letters stand for nobody. */
  isNobody?: boolean;
  /** One's own among what others sent: `fromName` is who it goes to, and the row says so. */
  isTo?: boolean;
  subject: string;
  snippet: string;
  /** ISO 8601. */
  date: string;
  unread: boolean;
  starred: boolean;
  attachmentCount: number;
  /** Another message of the conversation has files, too, or alone. */
  threadHasFiles?: boolean;
  tags: readonly TagView[];
  sealed: Seal;
  /** A notice of the service itself. */
  alert: boolean;
  /** Where it is, as far as that changes what can be done with it. */
  place: Place;
  activity: RowActivity;
  /** Stands before the snippet, as in "27 days left" or "Snoozed". */
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

/** How far a message can be trusted, exactly one per message. docs/interface.md#reader. */
export type SecurityView = {
  /** `own` and `own_plain`: written here, sealed for everybody or not; `notice`: from the service itself. */
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
    /** Received from oneself. */
    | 'from_self'
    | 'notice';
  /** Why it did not open, where `kind` is `failed`. */
  cause?: FailureCause;
  /** The first name or address the sentence is about. */
  person: string;
  /** Algorithm, key id, DKIM, SPF, DMARC. */
  details: readonly DetailView[];
  /** The domain that confirmed the sender of a mail from outside (DMARC), the weaker proof; null when none did. */
  confirmedDomain: string | null;
  /** When one's own letter goes that waits to be sent, ISO 8601; null of all other mail. */
  sendAt: string | null;
  /** Whether keys or the sender's domain say that it is from whom it says. */
  isSenderProven: boolean;
  /** The sender is a contact, and keys or the sender's domain say that it is them (`in_contacts`). */
  inContacts: boolean;
  /** Sentences about what looks wrong with the sender. */
  warnings: readonly string[];
};

export type AttachmentView = {
  id: string;
  name: string;
  sizeBytes: number;
  mimeType: string;
  state: 'ready' | 'loading' | 'failed';
  /** 0 to 100 while loading, null when the length is not known. */
  progressPercent: number | null;
  canPreview: boolean;
  /** An envelope whose content stands beside it: it is only saved. */
  isUnpacked?: boolean;
};

/** A page of this program that a notice of the service leads to. */
export type NoticeAction = {
  label: string;
  path: string;
  /** For who did not do what the notice tells. */
  isAlarm: boolean;
};

/** The body in the form it is painted in. `html` has been through the sanitiser already. */
export type BodyView =
  | { kind: 'loading' }
  | { kind: 'empty' }
  | { kind: 'failed' }
  | {
      kind: 'text';
      text: string;
      recovered: boolean;
      isForward: boolean;
      /** Of the service itself: no link leads anywhere else. */
      isNotice?: boolean;
      actions?: readonly NoticeAction[];
    }
  /** A notice about mail that was not delivered. */
  | { kind: 'bounce'; report: DeliveryReport; text: string }
  | {
      kind: 'html';
      html: string;
      hasOwnColors: boolean;
      recovered: boolean;
      isForward: boolean;
      /** The whole of a long body, of which `html` is the beginning. */
      openWhole?: () => Promise<string>;
      /** Has the whole of it shown from now on, with the pictures that the rest names. */
      showWhole?: () => void;
    };

/** Remote images that the sanitiser held back. */
export type RemoteContentView = {
  blockedImages: number;
  knownTrackers: number;
  /** Addresses that may be fetched, trackers left out. */
  urls: readonly string[];
  /** While they are being fetched, and after: how many are there, of those that are shown, and how many could not be had. */
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
  /** What the sender says of when it was written, where that is another time; ISO 8601. */
  written: { date: string; isZoneless: boolean } | null;
  snippet: string;
  unread: boolean;
  /** null while it is not known yet. */
  security: SecurityView | null;
  body: BodyView;
  remote: RemoteContentView | null;
  attachments: readonly AttachmentView[];
  /** Being written; opening it opens the composer. */
  isDraft: boolean;
  /** From this service itself. */
  isNotice: boolean;
  /** In Spam, or deleted from there: nothing is fetched for it. */
  isSpam: boolean;
  /** The way out of the mailing list that it came by. */
  unsubscribe: Unsubscribe | null;
};

export type ConversationView = {
  id: string;
  subject: string;
  /** The subject is that of a mail that did not open: anybody can have written it. */
  isSubjectUnproven: boolean;
  tags: readonly TagView[];
  starred: boolean;
  unread: boolean;
  place: Place;
  /** Oldest first. */
  messages: readonly MessageView[];
  /** Days until it is removed for good, null when it is not deleted. */
  daysLeft: number | null;
};

export type ListFilter = 'all' | 'unread' | 'starred' | 'attachment';

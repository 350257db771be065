// What the mail screen shows, already decrypted and worded: the props of its components. Made by the queries of this
// feature out of the contract's Email and the parsed message; nothing here is sent or stored.

export type Density = 'comfortable' | 'compact' | 'line';

/** `known`: sealed by a key we have pinned; `sealed`: by another key; `outside`: came in plain; `failed`: not decrypted. */
export type Seal = 'known' | 'sealed' | 'outside' | 'failed';

export interface TagView {
  name: string;
  color: string;
}

/** What is going on with a row apart from its flags. */
export type RowActivity = 'none' | 'pending' | 'sending' | 'waiting' | 'unsent';

/** One line of the list: a conversation, shown by its newest message. */
export interface MailRowView {
  id: string;
  threadId: string;
  threadCount: number;
  fromName: string;
  fromAddress: string;
  subject: string;
  snippet: string;
  /** ISO 8601. */
  date: string;
  unread: boolean;
  starred: boolean;
  attachmentCount: number;
  tags: readonly TagView[];
  sealed: Seal;
  /** A notice of the service itself. */
  alert: boolean;
  activity: RowActivity;
  /** Stands before the snippet, as in "27 days left". */
  note?: string;
}

export interface PersonView {
  name: string;
  address: string;
}

export interface DetailView {
  label: string;
  value: string;
}

/** How far a message can be trusted, exactly one per message. ux "SecurityStrip". */
export interface SecurityView {
  /** `own` and `own_plain`: written here, sealed for everybody or not; `notice`: from the service itself. */
  kind:
    | 'verified'
    | 'sealed'
    | 'stored'
    | 'unproven'
    | 'key_changed'
    | 'failed'
    | 'own'
    | 'own_plain'
    | 'notice';
  /** The first name or address the sentence is about. */
  person: string;
  /** Algorithm, key id, DKIM, SPF, DMARC. */
  details: readonly DetailView[];
}

export interface AttachmentView {
  id: string;
  name: string;
  sizeBytes: number;
  mimeType: string;
  state: 'ready' | 'loading' | 'failed';
  /** 0 to 100 while loading, null when the length is not known. */
  progressPercent: number | null;
  canPreview: boolean;
}

/** The body in the form it is painted in. `html` has been through the sanitiser already. */
export type BodyView =
  | { kind: 'loading' }
  | { kind: 'empty' }
  | { kind: 'failed' }
  | { kind: 'text'; text: string; recovered: boolean }
  | { kind: 'html'; html: string; hasOwnColors: boolean; recovered: boolean };

/** Remote images that the sanitiser held back. */
export interface RemoteContentView {
  blockedImages: number;
  knownTrackers: number;
}

export interface MessageView {
  id: string;
  from: PersonView;
  to: readonly PersonView[];
  cc: readonly PersonView[];
  bcc: readonly PersonView[];
  /** ISO 8601. */
  date: string;
  snippet: string;
  unread: boolean;
  /** null while the message is not opened yet. */
  security: SecurityView | null;
  body: BodyView;
  remote: RemoteContentView | null;
  attachments: readonly AttachmentView[];
}

export interface ConversationView {
  id: string;
  subject: string;
  tags: readonly TagView[];
  starred: boolean;
  unread: boolean;
  /** Oldest first. */
  messages: readonly MessageView[];
  /** Days until it is removed for good, null when it is not deleted. */
  daysLeft: number | null;
}

export type ListFilter = 'all' | 'unread' | 'starred' | 'attachment';

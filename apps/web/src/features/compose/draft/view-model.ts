// What the composer shows: recipients with what encryption they get, files on their way, the state of the draft.

/**
 * `verified` and `sealed` get end-to-end encryption; `plain` does not; `key_changed` and
 * `mismatch` block sending until reviewed;
 * `looking_up` is being asked for; `unknown` is an address of this service that nobody has; `invalid` is not an address.
 */
export type RecipientState =
  | 'verified'
  | 'sealed'
  | 'looking_up'
  | 'plain'
  | 'key_changed'
  | 'mismatch'
  | 'unknown'
  | 'invalid';

export type RecipientView = {
  /** The address, or the typed text while it is none. */
  address: string;
  name: string;
  state: RecipientState;
};

export type RecipientFieldName = 'to' | 'cc' | 'bcc';

export type Recipients = Record<RecipientFieldName, readonly RecipientView[]>;

export type DraftFileView = {
  id: string;
  name: string;
  sizeBytes: number;
  state: 'encrypting' | 'uploading' | 'done' | 'failed';
  /** 0 to 100. */
  progressPercent: number;
  /** Why it failed. */
  error?: string;
};

export type DraftView =
  | { kind: 'none' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: Date }
  /** Kept encrypted on this device while there is no connection. */
  | { kind: 'device' }
  | { kind: 'failed' };

export type SuggestionView = {
  name: string;
  address: string;
  /** A group of contacts instead of one: who is in it. */
  members?: readonly { readonly name: string; readonly address: string }[];
};

/**
 * What a composer is doing: `sending` is under way, `waiting` goes by itself once there is a connection, `failed` is after
 * a try to send, `readOnly` while another tab has the draft.
 */
export type ComposerPhase = 'writing' | 'sending' | 'waiting' | 'failed' | 'readOnly';

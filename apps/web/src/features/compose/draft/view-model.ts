// View model of the composer: recipients with their encryption, files being added, the state of the
// draft.

/**
 * `verified` and `sealed` get end-to-end encryption; `plain` does not. `key_changed` and `mismatch`
 * block sending until reviewed. `looking_up` has a look-up in progress. `unknown` is an address of
 * this service that does not exist. `invalid` is not an address.
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
  /** The address, or the typed text if it is not an address. */
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
  /** Reason of the failure. */
  error?: string;
};

export type DraftView =
  | { kind: 'none' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: Date }
  /** Stored encrypted on this device while there is no connection. */
  | { kind: 'device' }
  | { kind: 'failed' };

export type SuggestionView = {
  name: string;
  address: string;
  /** Members of a contact group, when the suggestion is a group. */
  members?: readonly { readonly name: string; readonly address: string }[];
};

/**
 * Phase of a composer: `sending` is in progress, `waiting` sends automatically once there is a
 * connection, `failed` follows a failed send, `readOnly` means another tab has the draft.
 */
export type ComposerPhase = 'writing' | 'sending' | 'waiting' | 'failed' | 'readOnly';

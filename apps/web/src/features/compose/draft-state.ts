// What a composer holds while somebody writes: the fields, the people with their keys, the files, and how saving stands.
// Plain data; draft-session.ts changes it.
import type { AddressKeys } from '@keyfold/contract';
import type { LetterFile, Person } from '../../crypto/letter.ts';

/** Somebody a letter goes to; `keys` is null while they are being looked up. */
export type Addressee = {
  readonly person: Person;
  readonly keys: AddressKeys | null;
  /** The text is no address. */
  readonly isInvalid: boolean;
};

export type AddresseeKind = 'to' | 'cc' | 'bcc';

/** A file on its way into the draft, or in it. */
export type DraftFile = {
  readonly localId: string;
  readonly name: string;
  readonly type: string;
  readonly sizeBytes: number;
  readonly stage: 'encrypting' | 'uploading' | 'done' | 'failed';
  /** 0 to 100 of the stage. */
  readonly percent: number;
  readonly error: string | null;
  readonly stored: LetterFile | null;
};

export type SaveState =
  | { readonly kind: 'new' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: Date }
  | { readonly kind: 'failed'; readonly reason: 'offline' | 'error' };

export type DraftState = {
  readonly handle: string;
  readonly from: Person;
  readonly to: readonly Addressee[];
  readonly cc: readonly Addressee[];
  readonly bcc: readonly Addressee[];
  readonly subject: string;
  readonly text: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly files: readonly DraftFile[];
  readonly draftId: string | null;
  readonly save: SaveState;
  readonly isSending: boolean;
  /** Why the last send failed, for the strip in the composer. */
  readonly sendError: string | null;
};

export type DraftFields = Partial<Pick<DraftState, 'from' | 'subject' | 'text'>>;

export const addresseesOf = (draft: DraftState): readonly Addressee[] => [
  ...draft.to,
  ...draft.cc,
  ...draft.bcc,
];

/** Nothing was written, nobody named, nothing attached: such a draft vanishes. */
export const isEmpty = (draft: DraftState): boolean =>
  addresseesOf(draft).length === 0 &&
  draft.subject.trim() === '' &&
  draft.text.trim() === '' &&
  draft.files.length === 0;

/** Why it cannot be sent yet, or null. */
export function findSendObstacle(draft: DraftState): string | null {
  const people = addresseesOf(draft);
  if (people.length === 0) return 'Add somebody to send it to';
  if (people.some(({ isInvalid }) => isInvalid)) return 'One of the addresses is not an address';
  if (people.some(({ keys }) => keys === null)) return 'Looking up the recipients';
  if (draft.files.some(({ stage }) => stage === 'encrypting' || stage === 'uploading'))
    return 'Files are being uploaded';
  if (draft.files.some(({ stage }) => stage === 'failed'))
    return 'A file could not be uploaded: retry or remove it';
  return draft.isSending ? 'Sending' : null;
}

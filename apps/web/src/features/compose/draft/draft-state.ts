// What a composer holds while somebody writes: the fields, the people with their keys, the files, and how saving stands.
// Plain data; draft-machine.ts changes it.
import type { OutgoingFile, Person } from '../../../crypto/mail/outgoing-message.ts';
import { t } from '../../../lib/language.ts';
import type { KnownKeys } from '../../../session/trust/recipient-keys.ts';

/** Somebody a letter goes to; `keys` is null while they are being looked up. */
export type Addressee = {
  readonly person: Person;
  readonly keys: KnownKeys | null;
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
  readonly stored: OutgoingFile | null;
  /** For a picture inside the text, without angle brackets. */
  readonly contentId: string | null;
};

export type SaveState =
  | { readonly kind: 'new' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: Date }
  /** `isKept`: a sealed copy is on this device. */
  | { readonly kind: 'failed'; readonly reason: 'offline' | 'error'; readonly isKept: boolean };

/**
 * `sent` can be recalled and is then `writing` again. `elsewhere`: another tab has it, and nothing may be changed or saved
 * here. `closed`: no composer has it any more.
 */
export type DraftPhase = 'writing' | 'sending' | 'sent' | 'elsewhere' | 'closed';

/** A letter that goes out by itself once there is a connection. */
export type Wait = {
  readonly inTwoCopies: boolean;
  /** ISO time, when it is to go later. */
  readonly at: string | null;
  /** By address, what its owner was to get when Send was pressed: the digest of keys, or `plain`. */
  readonly agreed: Readonly<Record<string, string>>;
  /** Idempotency keys of its one or two copies. */
  readonly sendKeys: readonly string[];
  /** A request went out whose answer may have been lost. */
  readonly wasTried: boolean;
};

/** The mail that is answered or passed on, while it is folded away under the text. */
export type Quote = { readonly html: string; readonly text: string };

/** What is written of a letter, beside the people it goes to: what a copy of it has to keep. */
export type WrittenDraft = {
  readonly from: Person;
  readonly subject: string;
  /** What is written, without the folded quote, as plain text. */
  readonly text: string;
  /** The same with its formatting; null in plain-text mode. */
  readonly html: string | null;
  /** Plain text alone would lose something of `html`. */
  readonly isFormatted: boolean;
  readonly quote: Quote | null;
  readonly signatureId: string | null;
  /** The signature as it stands in the text. */
  readonly signatureText: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly files: readonly DraftFile[];
  readonly draftId: string | null;
};

export type DraftState = WrittenDraft & {
  readonly handle: string;
  readonly to: readonly Addressee[];
  readonly cc: readonly Addressee[];
  readonly bcc: readonly Addressee[];
  readonly save: SaveState;
  readonly phase: DraftPhase;
  readonly wait: Wait | null;
  /** Why the last send failed, for the strip in the composer. */
  readonly sendError: string | null;
};

export type DraftFields = Partial<
  Pick<
    DraftState,
    'from' | 'subject' | 'text' | 'html' | 'isFormatted' | 'quote' | 'signatureId' | 'signatureText'
  >
>;

/** It is being sent, or was. */
export const isGoingOut = (phase: DraftPhase): boolean => phase === 'sending' || phase === 'sent';

/** At a domain that is kept here, where nobody has this address: what is sent there comes back. */
export const isUnknown = ({ keys }: Pick<Addressee, 'keys'>): boolean => keys !== null && 'unknown' in keys;

export const addresseesOf = (draft: DraftState): readonly Addressee[] => [
  ...draft.to,
  ...draft.cc,
  ...draft.bcc,
];

/** What somebody wrote, without the signature that was put under it. */
export function ownWords({ text, signatureText }: Pick<DraftState, 'text' | 'signatureText'>): string {
  const signature = `-- \n${signatureText}`.trimEnd();
  const at = signatureText === '' ? -1 : text.lastIndexOf(signature);
  return (at < 0 ? text : text.slice(0, at) + text.slice(at + signature.length)).trim();
}

/** Files that go with the letter: a picture counts while the text shows it. */
export function filesInUse({
  files,
  html,
  quote,
}: Pick<DraftState, 'files' | 'html' | 'quote'>): readonly DraftFile[] {
  const shown = html === null ? '' : html + (quote?.html ?? '');
  return files.filter(({ contentId }) => contentId === null || shown.includes(`cid:${contentId}`));
}

/** Nothing was written, nobody named, nothing attached: such a draft vanishes. */
export const isEmpty = (draft: DraftState): boolean =>
  addresseesOf(draft).length === 0 &&
  draft.subject.trim() === '' &&
  ownWords(draft) === '' &&
  draft.quote === null &&
  filesInUse(draft).length === 0;

/** Why it cannot be sent yet, or null. */
export function findSendObstacle(draft: DraftState): string | null {
  const people = addresseesOf(draft);
  const files = filesInUse(draft);
  if (draft.phase === 'elsewhere') return t('Being edited in another tab');
  if (people.length === 0) return t('Add somebody to send it to');
  if (people.some(({ isInvalid }) => isInvalid)) return t('One of the addresses is not an address');
  if (people.some(isUnknown)) return t('Nobody has the address of one recipient');
  if (people.some(({ keys }) => keys === null)) return t('Looking up the recipients');
  if (files.some(({ stage }) => stage === 'encrypting' || stage === 'uploading'))
    return t('Files are being uploaded');
  if (files.some(({ stage }) => stage === 'failed'))
    return t('A file could not be uploaded: retry or remove it');
  return isGoingOut(draft.phase) ? t('Sending') : null;
}

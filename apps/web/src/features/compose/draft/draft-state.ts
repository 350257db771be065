// The state of a composer during editing: fields, recipients with their keys, files and save state.
// Plain data; draft-machine.ts changes it.
import type { OutgoingFile, Person } from '../../../crypto/mail/outgoing-message.ts';
import { t } from '../../../lib/language.ts';
import type { KnownKeys } from '../../../session/trust/recipient-keys.ts';

/** A recipient of a draft; `keys` is null during the look-up. */
export type Addressee = {
  readonly person: Person;
  readonly keys: KnownKeys | null;
  /** The text is not a valid address. */
  readonly isInvalid: boolean;
};

export type AddresseeKind = 'to' | 'cc' | 'bcc';

/** A file that is being added to the draft, or is in it. */
export type DraftFile = {
  readonly localId: string;
  readonly name: string;
  readonly type: string;
  readonly sizeBytes: number;
  readonly stage: 'encrypting' | 'uploading' | 'done' | 'failed';
  /** Progress of the current stage, 0 to 100. */
  readonly percent: number;
  readonly error: string | null;
  readonly stored: OutgoingFile | null;
  /** Set for an inline picture, without angle brackets. */
  readonly contentId: string | null;
};

export type SaveState =
  | { readonly kind: 'new' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: Date }
  /** `isKept`: a sealed copy exists on this device. */
  | { readonly kind: 'failed'; readonly reason: 'offline' | 'error'; readonly isKept: boolean };

/**
 * `sent` can be recalled and then becomes `writing` again. `elsewhere`: another tab has the draft,
 * so nothing may be changed or saved here. `closed`: no composer has it open.
 */
export type DraftPhase = 'writing' | 'sending' | 'sent' | 'elsewhere' | 'closed';

/** A message that is sent automatically once there is a connection. */
export type Wait = {
  readonly inTwoCopies: boolean;
  /** ISO time of a scheduled send. */
  readonly at: string | null;
  /**
   * By address, the encryption agreed to when Send was pressed: the digest of the recipient's keys,
   * or `plain`.
   */
  readonly agreed: Readonly<Record<string, string>>;
  /** Idempotency keys of its one or two copies. */
  readonly sendKeys: readonly string[];
  /** A request was sent whose response may have been lost. */
  readonly wasTried: boolean;
};

/** The message that is answered or forwarded, while it is folded under the text. */
export type Quote = { readonly html: string; readonly text: string };

/** The content of a draft apart from its recipients: the part that a copy has to preserve. */
export type WrittenDraft = {
  readonly from: Person;
  readonly subject: string;
  /** The text without the folded quote, as plain text. */
  readonly text: string;
  /** The same text with its formatting; null in plain-text mode. */
  readonly html: string | null;
  /** Plain text alone would lose formatting of `html`. */
  readonly isFormatted: boolean;
  readonly quote: Quote | null;
  readonly signatureId: string | null;
  /** The signature as it appears in the text. */
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
  /** Reason why the last send failed, shown in the composer. */
  readonly sendError: string | null;
};

export type DraftFields = Partial<
  Pick<
    DraftState,
    'from' | 'subject' | 'text' | 'html' | 'isFormatted' | 'quote' | 'signatureId' | 'signatureText'
  >
>;

/** Returns whether the draft is being sent or has been sent. */
export const isGoingOut = (phase: DraftPhase): boolean => phase === 'sending' || phase === 'sent';

/**
 * Returns whether the address does not exist at a domain hosted here; a message to it would bounce.
 */
export const isUnknown = ({ keys }: Pick<Addressee, 'keys'>): boolean => keys !== null && 'unknown' in keys;

export const addresseesOf = (draft: DraftState): readonly Addressee[] => [
  ...draft.to,
  ...draft.cc,
  ...draft.bcc,
];

/** Returns the text that the user wrote, without the inserted signature. */
export function ownWords({ text, signatureText }: Pick<DraftState, 'text' | 'signatureText'>): string {
  const signature = `-- \n${signatureText}`.trimEnd();
  const at = signatureText === '' ? -1 : text.lastIndexOf(signature);
  return (at < 0 ? text : text.slice(0, at) + text.slice(at + signature.length)).trim();
}

/**
 * Returns the files that are sent with the message; an inline picture counts while the text shows
 * it.
 */
export function filesInUse({
  files,
  html,
  quote,
}: Pick<DraftState, 'files' | 'html' | 'quote'>): readonly DraftFile[] {
  const shown = html === null ? '' : html + (quote?.html ?? '');
  return files.filter(({ contentId }) => contentId === null || shown.includes(`cid:${contentId}`));
}

/** Returns whether the draft has no text, no recipients and no files; such a draft is deleted. */
export const isEmpty = (draft: DraftState): boolean =>
  addresseesOf(draft).length === 0 &&
  draft.subject.trim() === '' &&
  ownWords(draft) === '' &&
  draft.quote === null &&
  filesInUse(draft).length === 0;

/** Returns why the draft cannot be sent yet, or null. */
export function findSendObstacle(draft: DraftState): string | null {
  const people = addresseesOf(draft);
  const files = filesInUse(draft);
  if (draft.phase === 'elsewhere') return t('Being edited in another tab');
  if (people.length === 0) return t('Add at least one recipient');
  if (people.some(({ isInvalid }) => isInvalid)) return t('One of the addresses isn’t valid');
  if (people.some(isUnknown)) return t('One recipient’s address doesn’t exist');
  if (people.some(({ keys }) => keys === null)) return t('Still checking the recipients’ encryption');
  if (files.some(({ stage }) => stage === 'encrypting' || stage === 'uploading'))
    return t('Wait for uploads to finish');
  if (files.some(({ stage }) => stage === 'failed'))
    return t('A file couldn’t be uploaded. Try again, or remove it.');
  return isGoingOut(draft.phase) ? t('Sending…') : null;
}

// What the composer says about who gets encryption: per recipient, for all of them, and on the Send button.
import { t, tAs, term } from '../../../lib/language.ts';
import { joinNames } from '../../../lib/words.ts';
import type { RecipientState, Recipients, RecipientView } from '../draft/view-model.ts';

/** The words behind each chip's icon, for the tooltip and for readers. */
export const recipientWords: Record<RecipientState, string> = {
  verified: term('End-to-end encrypted to a verified contact'),
  sealed: term('End-to-end encrypted'),
  looking_up: term('Looking up the key'),
  plain: term('Not encrypted end to end: the server will see this message'),
  key_changed: term('The key of this contact has changed. Review it before you send'),
  mismatch: term('The safety number of this contact does not match. Review it before you send'),
  unknown: term('Nobody has this address'),
  invalid: term('Not an address'),
};

export type RecipientSummary = {
  encrypted: number;
  plain: readonly RecipientView[];
  /** First names or addresses of those who get encryption. */
  encryptedNames: readonly string[];
  isLookingUp: boolean;
  hasInvalid: boolean;
  hasUnknown: boolean;
  hasKeyChanged: boolean;
  hasMismatch: boolean;
  total: number;
};

/** Counts the recipients of all fields. */
export function summarize(recipients: Recipients): RecipientSummary {
  const all = [...recipients.to, ...recipients.cc, ...recipients.bcc];
  const sealed = all.filter(one => one.state === 'verified' || one.state === 'sealed');
  return {
    encrypted: sealed.length,
    plain: all.filter(one => one.state === 'plain'),
    encryptedNames: sealed.map(one => one.name.split(' ')[0] || one.address),
    isLookingUp: all.some(one => one.state === 'looking_up'),
    hasInvalid: all.some(one => one.state === 'invalid'),
    hasUnknown: all.some(one => one.state === 'unknown'),
    hasKeyChanged: all.some(one => one.state === 'key_changed'),
    hasMismatch: all.some(one => one.state === 'mismatch'),
    total: all.length,
  };
}

/** The words on the Send button; after a failure it is another try. */
export function sendLabel({ plain }: RecipientSummary, hasFailed = false): string {
  const count = plain.length;
  if (hasFailed) return count === 0 ? t('Retry') : t('Retry, {count} not encrypted', { count });
  return count === 0 ? tAs('verb', 'Send') : t('Send, {count} not encrypted', { count });
}

/** Why Send does not work now, or null when it does. Without a connection keys are looked up when there is one. */
export function sendBlockedReason(
  summary: RecipientSummary,
  isUploading: boolean,
  isOffline = false,
): string | null {
  if (summary.total === 0) return t('Add a recipient first');
  if (summary.hasInvalid) return t('One recipient is not an address');
  if (summary.hasUnknown) return t('Nobody has the address of one recipient');
  if (summary.hasMismatch) return t('A safety number does not match. Review it first');
  if (summary.hasKeyChanged) return t('A key has changed. Verify it or accept the new key first');
  if (summary.isLookingUp && !isOffline) return t('Still looking up a key');
  if (isUploading) return t('A file is still on its way');
  return null;
}

/** The count beside the Send button; empty while everybody gets the same. */
export function mixLabel({ encrypted, plain }: RecipientSummary): string {
  if (plain.length === 0) return '';
  return encrypted === 0
    ? t('{plain} plain', { plain: plain.length })
    : t('{encrypted} encrypted, {plain} plain', { encrypted, plain: plain.length });
}

/** Names that a sentence can hold; the chips have all of them. */
const NAMES_MAX = 3;

function joinSome(names: readonly string[]): string {
  const count = names.length - NAMES_MAX;
  if (count < 2) return joinNames(names);
  const others = t('{count, plural, one {# other} other {# others}}', { count });
  return joinNames([...names.slice(0, NAMES_MAX), others]);
}

/** The strip's sentences about plain recipients. */
export function plainWarning(summary: RecipientSummary): {
  title: string;
  text: string;
  keepsEncrypted: string;
} {
  const addresses = joinSome(summary.plain.map(one => one.address));
  return {
    title: t(
      '{count, plural, one {# recipient without end-to-end encryption.} other {# recipients without end-to-end encryption.}}',
      { count: summary.plain.length },
    ),
    text: t('To reach {addresses} the server has to see the text.', { addresses }),
    keepsEncrypted:
      summary.encrypted === 0
        ? ''
        : t('keeps {names} encrypted.', { names: joinSome(summary.encryptedNames) }),
  };
}

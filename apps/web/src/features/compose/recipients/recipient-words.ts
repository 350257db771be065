// Texts of the composer about encryption: per recipient, for all of them, and on the Send button.
import { t, tAs, term } from '../../../lib/language.ts';
import { joinNames } from '../../../lib/words.ts';
import type { RecipientState, Recipients, RecipientView } from '../draft/view-model.ts';

/** The meaning of each chip's icon, for the tooltip and for screen readers. */
export const recipientWords: Record<RecipientState, string> = {
  verified: term('End-to-end encrypted to a verified contact'),
  sealed: term('End-to-end encrypted'),
  looking_up: term('Checking encryption'),
  plain: term('Not end-to-end encrypted: the server can read this message'),
  key_changed: term('This contact’s key has changed. Review it before you send.'),
  mismatch: term('The safety number for this contact doesn’t match. Review it before you send.'),
  unknown: term('This address doesn’t exist'),
  invalid: term('Not an address'),
};

export type RecipientSummary = {
  encrypted: number;
  plain: readonly RecipientView[];
  /** First names or addresses of recipients who get encryption. */
  encryptedNames: readonly string[];
  isLookingUp: boolean;
  hasInvalid: boolean;
  hasUnknown: boolean;
  hasKeyChanged: boolean;
  hasMismatch: boolean;
  total: number;
};

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

/** Returns the label of the Send button; after a failure it offers a retry. */
export function sendLabel({ plain }: RecipientSummary, hasFailed = false): string {
  const count = plain.length;
  if (hasFailed) return count === 0 ? t('Try again') : t('Try again, {count} not encrypted', { count });
  return count === 0 ? tAs('verb', 'Send') : t('Send, {count} not encrypted', { count });
}

/**
 * Returns why Send is disabled, or null when it is enabled. Without a connection, keys are looked
 * up once there is one.
 */
export function sendBlockedReason(
  summary: RecipientSummary,
  isUploading: boolean,
  isOffline = false,
): string | null {
  if (summary.total === 0) return t('Add at least one recipient');
  if (summary.hasInvalid) return t('One of the addresses isn’t valid');
  if (summary.hasUnknown) return t('One recipient’s address doesn’t exist');
  if (summary.hasMismatch) return t('A safety number doesn’t match. Review it first.');
  if (summary.hasKeyChanged) return t('A key has changed. Review it first.');
  if (summary.isLookingUp && !isOffline) return t('Still checking the recipients’ encryption');
  if (isUploading) return t('Wait for uploads to finish');
  return null;
}

/** Returns the count beside the Send button; empty while all recipients get the same encryption. */
export function mixLabel({ encrypted, plain }: RecipientSummary): string {
  if (plain.length === 0) return '';
  return encrypted === 0
    ? t('{plain} not encrypted', { plain: plain.length })
    : t('{encrypted} encrypted, {plain} not', { encrypted, plain: plain.length });
}

/** Maximum number of names in a sentence; the chips show all of them. */
const NAMES_MAX = 3;

function joinSome(names: readonly string[]): string {
  const count = names.length - NAMES_MAX;
  if (count < 2) return joinNames(names);
  const others = t('{count, plural, one {# other} other {# others}}', { count });
  return joinNames([...names.slice(0, NAMES_MAX), others]);
}

/** Returns the warning about plain recipients for the strip. */
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
    text: t('The server can read this message until it has been delivered to {addresses}.', { addresses }),
    keepsEncrypted:
      summary.encrypted === 0
        ? ''
        : t('to keep the copy for {names} end-to-end encrypted.', {
            names: joinSome(summary.encryptedNames),
          }),
  };
}

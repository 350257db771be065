// What the composer says about who gets encryption: per recipient, for all of them, and on the Send button.
import { formatCount, joinNames, plural } from '../../lib/words.ts';
import type { RecipientState, Recipients, RecipientView } from './view-model.ts';

/** The words behind each chip's icon, for the tooltip and for readers. */
export const recipientWords: Record<RecipientState, string> = {
  verified: 'End-to-end encrypted to a verified contact',
  sealed: 'End-to-end encrypted',
  looking_up: 'Looking up the key',
  plain: 'Not encrypted end to end: the server will see this message',
  key_changed: 'The key of this contact has changed. Review it before you send',
  invalid: 'Not an address',
};

export interface RecipientSummary {
  encrypted: number;
  plain: readonly RecipientView[];
  /** First names or addresses of those who get encryption. */
  encryptedNames: readonly string[];
  isLookingUp: boolean;
  hasInvalid: boolean;
  hasKeyChanged: boolean;
  total: number;
}

/** Counts the recipients of all fields. */
export function summarise(recipients: Recipients): RecipientSummary {
  const all = [...recipients.to, ...recipients.cc, ...recipients.bcc];
  const sealed = all.filter(one => one.state === 'verified' || one.state === 'sealed');
  return {
    encrypted: sealed.length,
    plain: all.filter(one => one.state === 'plain'),
    encryptedNames: sealed.map(one => one.name.split(' ')[0] || one.address),
    isLookingUp: all.some(one => one.state === 'looking_up'),
    hasInvalid: all.some(one => one.state === 'invalid'),
    hasKeyChanged: all.some(one => one.state === 'key_changed'),
    total: all.length,
  };
}

/** The words on the Send button; after a failure it is another try. */
export function sendLabel({ plain }: RecipientSummary, hasFailed = false): string {
  const verb = hasFailed ? 'Retry' : 'Send';
  return plain.length === 0 ? verb : `${verb}, ${formatCount(plain.length)} not encrypted`;
}

/** Why Send does not work now, or null when it does. */
export function sendBlockedReason(summary: RecipientSummary, isUploading: boolean): string | null {
  if (summary.total === 0) return 'Add a recipient first';
  if (summary.hasInvalid) return 'One recipient is not an address';
  if (summary.hasKeyChanged) return 'A key has changed. Verify it or accept the new key first';
  if (summary.isLookingUp) return 'Still looking up a key';
  if (isUploading) return 'A file is still on its way';
  return null;
}

/** The count beside the Send button; empty while everybody gets the same. */
export function mixLabel({ encrypted, plain }: RecipientSummary): string {
  if (plain.length === 0) return '';
  return encrypted === 0
    ? `${formatCount(plain.length)} plain`
    : `${formatCount(encrypted)} encrypted, ${formatCount(plain.length)} plain`;
}

/** The strip's sentences about plain recipients. */
export function plainWarning(summary: RecipientSummary): {
  title: string;
  text: string;
  keepsEncrypted: string;
} {
  const addresses = joinNames(summary.plain.map(one => one.address));
  return {
    title: `${plural(summary.plain.length, 'recipient')} without end-to-end encryption.`,
    text: `To reach ${addresses} the server has to see the text.`,
    keepsEncrypted: summary.encrypted === 0 ? '' : `keeps ${joinNames(summary.encryptedNames)} encrypted.`,
  };
}

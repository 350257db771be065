/**
 * Spam score of a message (limits.ts), from what is known on receipt: the sender authentication
 * results, header anomalies that mail programs do not produce, and whether it is unauthenticated
 * bulk mail. Does not read the text, except for the GTUBE test line. Pure; its cost is bounded, and
 * no message content makes it fail.
 */
import { domainOf } from '@keyfold/mail/address-form';
import type { Mailbox } from '@keyfold/mail/addresses';
import { readDate } from '@keyfold/mail/dates';
import { findHeader, type HeaderField } from '@keyfold/mail/mime/headers';
import { CERTAIN_SPAM_POINTS, DISOWNED_SPAM_POINTS } from '../../../base/limits.ts';

/** Results of the checks in smtp/auth, in the terms of RFC 8601. */
export type ArrivalVerdicts = {
  readonly spf: string;
  readonly dkim: string;
  readonly dmarc: string;
  /** Policy that the author's domain publishes for mail that fails: none, quarantine or reject. */
  readonly dmarcPolicy: string;
};

/**
 * Whether the client that delivered the message has a DNS name that resolves back to its address.
 */
export type HostNameVerdict = 'named' | 'none' | 'unknown';

export type ScoredMail = {
  readonly verdicts: ArrivalVerdicts;
  readonly fields: readonly HeaderField[];
  readonly raw: Uint8Array;
  readonly from: readonly Mailbox[];
  readonly subject: string | null;
  /** Name given with EHLO. */
  readonly helo: string;
  readonly host: HostNameVerdict;
  /** Names of this service. No other host legitimately uses them in EHLO. */
  readonly ownNames: readonly string[];
  readonly receivedAt: Date;
};

/** A signal and its score; a negative score speaks for the message. */
type Sign = readonly [points: number, holds: (mail: ScoredMail) => boolean];

const DAY_MS = 86_400_000;
/** Maximum distance of Date into the future (clocks, time zones) and into the past (queues). */
const DATE_AHEAD_MAX_MS = DAY_MS;
const DATE_BACK_MAX_MS = 15 * DAY_MS;
/**
 * Minimum length of an all-caps subject that counts as shouting, not as an abbreviation.
 */
const SHOUTED_MIN_LETTERS = 12;
/** Maximum bytes searched for the test line; test messages are short. */
const TEST_MAX_BYTES = 64 * 1024;
/** Fields that RFC 5322 §3.6 allows only once. */
const SINGLE_FIELDS = ['from', 'sender', 'reply-to', 'to', 'cc', 'message-id', 'subject', 'date'] as const;
/** Generic Test for Unsolicited Bulk Email (GTUBE), which marks a message as spam everywhere. */
const TEST_LINE = Buffer.from('XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X');
/**
 * Characters that are invisible or change the text direction: they hide words from people or from
 * filters.
 */
const HIDDEN_MARKS = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;
const TEXT_MAX_CHARACTERS = 1_000;

/**
 * Returns a copy of a message with the test line broken up: quoting it does not make a message
 * spam.
 */
export function withoutTestLine(raw: Uint8Array): Buffer {
  const copy = Buffer.from(raw);
  for (let at = copy.indexOf(TEST_LINE); at >= 0; at = copy.indexOf(TEST_LINE, at + 1))
    copy.fill('*', at, at + TEST_LINE.length);
  return copy;
}

/** Returns whether DMARC or a signature authenticates the sender. */
export const hasProof = ({ verdicts: { dmarc, dkim } }: Pick<ScoredMail, 'verdicts'>): boolean =>
  dmarc === 'pass' || dkim === 'pass';

const has = ({ fields }: ScoredMail, key: string): boolean => findHeader(fields, key) !== null;

const textOf = ({ fields }: ScoredMail, key: string): string =>
  (findHeader(fields, key)?.value ?? '').slice(0, TEXT_MAX_CHARACTERS).trim().toLowerCase();

const isBulk = (mail: ScoredMail): boolean =>
  ['bulk', 'junk', 'list'].includes(textOf(mail, 'precedence')) ||
  has(mail, 'list-unsubscribe') ||
  has(mail, 'list-id');

function hasRepeatedField({ fields }: ScoredMail): boolean {
  const seen = new Set<string>();
  return fields.some(({ key }) => {
    if (!(SINGLE_FIELDS as readonly string[]).includes(key)) return false;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}

/** Returns whether the display name is an address of another domain than the sender's. */
const hasOtherAddressAsName = ({ from }: ScoredMail): boolean =>
  from.slice(0, 5).some(({ name, address }) => {
    const shown = /[^\s@<>"']{1,64}@([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})/i.exec(
      name.slice(0, 320),
    )?.[1];
    return shown !== undefined && shown.toLowerCase() !== domainOf(address).toLowerCase();
  });

/** Returns how far Date is ahead of the arrival; null without one, NaN when it is not a date. */
function aheadMsOf(mail: ScoredMail): number | null {
  const text = findHeader(mail.fields, 'date')?.value.slice(0, TEXT_MAX_CHARACTERS) ?? '';
  if (text.trim() === '') return null;
  return Date.parse(readDate(text)?.iso ?? '') - mail.receivedAt.getTime();
}

function isOddlyDated(mail: ScoredMail): boolean {
  const aheadMs = aheadMsOf(mail);
  return aheadMs !== null && !(aheadMs < DATE_AHEAD_MAX_MS);
}

function isLate(mail: ScoredMail): boolean {
  const aheadMs = aheadMsOf(mail);
  return aheadMs !== null && aheadMs < -DATE_BACK_MAX_MS;
}

function isShouted({ subject }: ScoredMail): boolean {
  const letters = (subject ?? '').slice(0, TEXT_MAX_CHARACTERS).replace(/[^\p{Lu}\p{Ll}]/gu, '');
  return letters.length >= SHOUTED_MIN_LETTERS && letters === letters.toUpperCase();
}

const isBareAddress = (helo: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(helo);

const SIGNS: Readonly<Record<string, Sign>> = {
  'test line': [
    CERTAIN_SPAM_POINTS,
    ({ raw }) =>
      Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, TEST_MAX_BYTES)).includes(TEST_LINE),
  ],
  // Sender identity.
  disowned: [DISOWNED_SPAM_POINTS, ({ verdicts }) => isDisowned(verdicts)],
  'dmarc fails': [4, ({ verdicts }) => verdicts.dmarc === 'fail' && !isDisowned(verdicts)],
  'no single author': [4, ({ verdicts }) => verdicts.dmarc === 'permerror'],
  'spf fails': [6, mail => !hasProof(mail) && mail.verdicts.spf === 'fail'],
  'spf doubts': [4, mail => !hasProof(mail) && ['softfail', 'permerror'].includes(mail.verdicts.spf)],
  'nothing proved': [1, mail => !hasProof(mail) && ['none', 'neutral'].includes(mail.verdicts.spf)],
  'broken signature': [1, mail => !hasProof(mail) && mail.verdicts.dkim === 'fail'],
  proved: [-1, ({ verdicts }) => verdicts.dmarc === 'pass'],
  // Transport.
  'greets with our name': [4, ({ helo, ownNames }) => ownNames.includes(helo.toLowerCase())],
  'greets with no name': [
    1,
    ({ helo }) => !helo.startsWith('[') && (!helo.includes('.') || isBareAddress(helo)),
  ],
  'machine without a name': [1, mail => !hasProof(mail) && mail.host === 'none'],
  // Header fields.
  'no author': [3, ({ from }) => from.length === 0],
  'other address as name': [3, hasOtherAddressAsName],
  'field twice': [2, hasRepeatedField],
  'hidden marks in subject': [
    2,
    ({ subject }) => HIDDEN_MARKS.test((subject ?? '').slice(0, TEXT_MAX_CHARACTERS)),
  ],
  'no date': [1, mail => !has(mail, 'date')],
  'odd date': [2, isOddlyDated],
  // Old messages get resent, and clocks that were never set are slow.
  'late date': [1, isLate],
  'no message-id': [1, mail => !has(mail, 'message-id')],
  'no recipient': [1, mail => !has(mail, 'to') && !has(mail, 'cc')],
  'shouted subject': [1, isShouted],
  // Unauthenticated bulk mail, and bulk mail without a way to unsubscribe.
  'bulk of nobody': [2, mail => isBulk(mail) && !hasProof(mail)],
  'bulk without a way out': [
    1,
    mail => ['bulk', 'junk'].includes(textOf(mail, 'precedence')) && !has(mail, 'list-unsubscribe'),
  ],
};

/** Returns the signals that a message shows. */
export const findSigns = (mail: ScoredMail): string[] =>
  Object.entries(SIGNS).flatMap(([name, [, holds]]) => (holds(mail) ? [name] : []));

export const scoreMail = (mail: ScoredMail): number =>
  findSigns(mail).reduce((sum, name) => sum + (SIGNS[name]?.[0] ?? 0), 0);

/**
 * Returns whether the domain that a message claims as its sender's asks for the message to be
 * quarantined or rejected.
 */
export const isDisowned = ({ dmarc, dmarcPolicy }: ArrivalVerdicts): boolean =>
  dmarc === 'fail' && ['quarantine', 'reject'].includes(dmarcPolicy);

/** Returns whether that domain asks for rejection, the strongest DMARC policy. */
export const isRejected = (verdicts: ArrivalVerdicts): boolean =>
  isDisowned(verdicts) && verdicts.dmarcPolicy === 'reject';

/** Returns the minimum score of a message, whatever another scanner returns. */
export const leastScore = (verdicts: ArrivalVerdicts): number =>
  isDisowned(verdicts) ? DISOWNED_SPAM_POINTS : Number.NEGATIVE_INFINITY;

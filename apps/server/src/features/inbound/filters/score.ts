/**
 * How much a mail looks like spam, in points (limits.ts), from what is known of it at the door: what the checks of its
 * sender said, what its header has that mail of mail programs does not have, and whether it is sent in bulk by nobody in
 * particular. Its text is not read, but for the test line that every filter knows. Pure; its cost is bounded, and nothing
 * in a mail makes it fail.
 */
import { domainOf } from '@keyfold/mail/address-form';
import type { Mailbox } from '@keyfold/mail/addresses';
import { readDate } from '@keyfold/mail/dates';
import { findHeader, type HeaderField } from '@keyfold/mail/mime/headers';
import { CERTAIN_SPAM_POINTS, DISOWNED_SPAM_POINTS } from '../../../base/limits.ts';

/** What the checks of smtp/auth said, in the words of RFC 8601. */
export type ArrivalVerdicts = {
  readonly spf: string;
  readonly dkim: string;
  readonly dmarc: string;
  /** What the author's domain asks to be done with mail that fails: none, quarantine or reject. */
  readonly dmarcPolicy: string;
};

/** Whether the machine that brought it has a name in the DNS that leads back to it. */
export type HostNameVerdict = 'named' | 'none' | 'unknown';

export type ScoredMail = {
  readonly verdicts: ArrivalVerdicts;
  readonly fields: readonly HeaderField[];
  readonly raw: Uint8Array;
  readonly from: readonly Mailbox[];
  readonly subject: string | null;
  /** The name given with EHLO. */
  readonly helo: string;
  readonly host: HostNameVerdict;
  /** Names of this service: nobody else greets with them. */
  readonly ownNames: readonly string[];
  readonly receivedAt: Date;
};

/** A sign, and what it adds; below zero it speaks for the mail. */
type Sign = readonly [points: number, holds: (mail: ScoredMail) => boolean];

const DAY_MS = 86_400_000;
/** How far a Date may lie ahead (clocks, zones) and back (queues). */
const DATE_AHEAD_MAX_MS = DAY_MS;
const DATE_BACK_MAX_MS = 15 * DAY_MS;
/** Capitals in a subject that are more than an abbreviation. */
const SHOUTED_MIN_LETTERS = 12;
/** Where the test line is looked for: tests are short. */
const TEST_MAX_BYTES = 64 * 1024;
/** Fields of which RFC 5322 §3.6 allows one. */
const SINGLE_FIELDS = ['from', 'sender', 'reply-to', 'to', 'cc', 'message-id', 'subject', 'date'] as const;
/** The Generic Test for Unsolicited Bulk Email, which marks a mail as spam everywhere. */
const TEST_LINE = Buffer.from('XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X');
/** Marks that are not seen, or turn the direction: they hide words from people or from filters. */
const HIDDEN_MARKS = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;
const TEXT_MAX_CHARACTERS = 1_000;

/** A copy of a mail in which the test line is no such line any more: who quotes it sends no spam. */
export function withoutTestLine(raw: Uint8Array): Buffer {
  const copy = Buffer.from(raw);
  for (let at = copy.indexOf(TEST_LINE); at >= 0; at = copy.indexOf(TEST_LINE, at + 1))
    copy.fill('*', at, at + TEST_LINE.length);
  return copy;
}

/** Whether DMARC or a signature vouches for the sender. */
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

/** An address in place of a name, of another domain than the one that the mail comes from. */
const hasOtherAddressAsName = ({ from }: ScoredMail): boolean =>
  from.slice(0, 5).some(({ name, address }) => {
    const shown = /[^\s@<>"']{1,64}@([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})/i.exec(
      name.slice(0, 320),
    )?.[1];
    return shown !== undefined && shown.toLowerCase() !== domainOf(address).toLowerCase();
  });

/** How far Date lies ahead of the arrival; null without one, NaN where it is no date. */
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
  // Who the sender is.
  disowned: [DISOWNED_SPAM_POINTS, ({ verdicts }) => isDisowned(verdicts)],
  'dmarc fails': [4, ({ verdicts }) => verdicts.dmarc === 'fail' && !isDisowned(verdicts)],
  'no single author': [4, ({ verdicts }) => verdicts.dmarc === 'permerror'],
  'spf fails': [6, mail => !hasProof(mail) && mail.verdicts.spf === 'fail'],
  'spf doubts': [4, mail => !hasProof(mail) && ['softfail', 'permerror'].includes(mail.verdicts.spf)],
  'nothing proved': [1, mail => !hasProof(mail) && ['none', 'neutral'].includes(mail.verdicts.spf)],
  'broken signature': [1, mail => !hasProof(mail) && mail.verdicts.dkim === 'fail'],
  proved: [-1, ({ verdicts }) => verdicts.dmarc === 'pass'],
  // How it came.
  'greets with our name': [4, ({ helo, ownNames }) => ownNames.includes(helo.toLowerCase())],
  'greets with no name': [
    1,
    ({ helo }) => !helo.startsWith('[') && (!helo.includes('.') || isBareAddress(helo)),
  ],
  'machine without a name': [1, mail => !hasProof(mail) && mail.host === 'none'],
  // What its header has.
  'no author': [3, ({ from }) => from.length === 0],
  'other address as name': [3, hasOtherAddressAsName],
  'field twice': [2, hasRepeatedField],
  'hidden marks in subject': [
    2,
    ({ subject }) => HIDDEN_MARKS.test((subject ?? '').slice(0, TEXT_MAX_CHARACTERS)),
  ],
  'no date': [1, mail => !has(mail, 'date')],
  'odd date': [2, isOddlyDated],
  // Old mail is sent again, and clocks that were never set are slow.
  'late date': [1, isLate],
  'no message-id': [1, mail => !has(mail, 'message-id')],
  'no recipient': [1, mail => !has(mail, 'to') && !has(mail, 'cc')],
  'shouted subject': [1, isShouted],
  // Bulk that nobody answers for, and bulk that cannot be stopped.
  'bulk of nobody': [2, mail => isBulk(mail) && !hasProof(mail)],
  'bulk without a way out': [
    1,
    mail => ['bulk', 'junk'].includes(textOf(mail, 'precedence')) && !has(mail, 'list-unsubscribe'),
  ],
};

/** The signs that a mail shows. */
export const findSigns = (mail: ScoredMail): string[] =>
  Object.entries(SIGNS).flatMap(([name, [, holds]]) => (holds(mail) ? [name] : []));

/** The points of a mail. */
export const scoreMail = (mail: ScoredMail): number =>
  findSigns(mail).reduce((sum, name) => sum + (SIGNS[name]?.[0] ?? 0), 0);

/** Whether the domain that a mail names as its sender's asks for it to be kept away. */
export const isDisowned = ({ dmarc, dmarcPolicy }: ArrivalVerdicts): boolean =>
  dmarc === 'fail' && ['quarantine', 'reject'].includes(dmarcPolicy);

/** Whether that domain asks for it to be rejected, the strongest that DMARC can say. */
export const isRejected = (verdicts: ArrivalVerdicts): boolean =>
  isDisowned(verdicts) && verdicts.dmarcPolicy === 'reject';

/** What a mail has at least, whoever else is asked. */
export const leastScore = (verdicts: ArrivalVerdicts): number =>
  isDisowned(verdicts) ? DISOWNED_SPAM_POINTS : Number.NEGATIVE_INFINITY;

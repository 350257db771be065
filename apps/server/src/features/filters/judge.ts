/**
 * Whether a mail from outside arrives flagged: by its reader's lists of senders first, then by how well its sender was
 * proved and by words that the reader does not want in a subject (Spec §3; readings 52). Pure; a mail is never refused
 * here, and flagged ones are kept.
 */
import { foldForRules } from '@keyfold/mail/rules';
import type { StoredSettings } from './sealing.ts';
import { findListing } from './senders.ts';

/** What the checks of smtp/auth said, in the words of RFC 8601. */
export type ArrivalVerdicts = {
  readonly spf: string;
  readonly dkim: string;
  readonly dmarc: string;
  /** What the author's domain asks to be done with mail that fails: none, quarantine or reject. */
  readonly dmarcPolicy: string;
};

export type JudgedMail = {
  /** Addresses of From, normalised. */
  readonly authors: readonly string[];
  /** Normalised; empty for a bounce. */
  readonly envelopeFrom: string;
  readonly subject: string | null;
  readonly verdicts: ArrivalVerdicts;
};

export type Judge = (mail: JudgedMail) => boolean;

/** Whether the sender's own domain asks for such mail to be kept away. */
const isDisowned = ({ dmarc, dmarcPolicy }: ArrivalVerdicts): boolean =>
  dmarc === 'fail' && (dmarcPolicy === 'quarantine' || dmarcPolicy === 'reject');

/** What each sensitivity holds against a mail beyond that. */
const IS_DOUBTFUL: Record<
  StoredSettings['spam_filters']['sensitivity'],
  (verdicts: ArrivalVerdicts) => boolean
> = {
  low: () => false,
  medium: ({ spf, dkim, dmarc }) => dmarc !== 'pass' && dkim !== 'pass' && spf === 'fail',
  high: ({ spf, dkim, dmarc }) =>
    dmarc === 'fail' ||
    dmarc === 'permerror' ||
    (dmarc !== 'pass' && dkim !== 'pass' && ['fail', 'softfail', 'permerror'].includes(spf)),
};

/** A judge by a user's settings: true for a mail that is to be flagged. */
export const createJudge = ({ spam_filters, whitelist, blacklist }: StoredSettings): Judge => {
  const white = new Set(whitelist);
  const black = new Set(blacklist);
  const words = spam_filters.custom_rules.map(foldForRules).filter(word => word !== '');
  return ({ authors, envelopeFrom, subject, verdicts }) => {
    const senders = envelopeFrom === '' ? authors : [...authors, envelopeFrom];
    const blackAs = findListing(black, senders);
    // Only From is what the reader meant to trust, and only one that its domain does not disown.
    const isForged =
      verdicts.dmarc === 'permerror' || (isDisowned(verdicts) && verdicts.dmarcPolicy === 'reject');
    const whiteAs = isForged || authors.length !== 1 ? null : findListing(white, authors);
    // The closer word counts: one address of a blocked domain may be welcome, and one of a welcome domain blocked.
    if (blackAs === 'address' || (blackAs === 'domain' && whiteAs !== 'address')) return true;
    if (whiteAs !== null || !spam_filters.enabled) return false;
    const folded = foldForRules(subject ?? '');
    return (
      isDisowned(verdicts) ||
      IS_DOUBTFUL[spam_filters.sensitivity](verdicts) ||
      words.some(word => folded.includes(word))
    );
  };
};

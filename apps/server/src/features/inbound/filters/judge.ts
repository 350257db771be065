/**
 * Whether a mail from outside arrives flagged, and why: by its reader's lists of senders first, then by the reader's rules
 * for spam, then by its points (docs/spec-map.md 3.33; docs/interpretations.md#52). Pure but for the points, which are asked for
 * when nothing else decides. A mail is never refused here, and flagged ones are kept.
 */
import type { CustomRule } from '@keyfold/contract';
import { createRuleMatcher, type MailRule, type RuledMail } from '@keyfold/mail/rules';
import { SPAM_POINTS } from '../../../base/limits.ts';
import { type ArrivalVerdicts, isDisowned, isRejected } from './score.ts';
import type { StoredSettings } from './sealing.ts';
import { findListing } from './senders.ts';

export type JudgedMail = RuledMail & {
  /** Addresses of From, normalised. */
  readonly authors: readonly string[];
  /** Normalised; empty for a bounce. */
  readonly envelopeFrom: string;
  readonly verdicts: ArrivalVerdicts;
};

/** What a mail was flagged for; null when it was not. */
export type Finding = 'sender' | 'rule' | 'score' | null;

export type Judge = (mail: JudgedMail, points: () => Promise<number>) => Promise<Finding>;

const NOTHING = { tags: [], read: false, star: false, archive: false, delete: false };

/** A custom rule with all its parts, whichever form it is given in. */
export const wholeCustomRule = (given: CustomRule): Exclude<CustomRule, string> =>
  typeof given === 'string' ? { field: 'subject', test: 'contains', value: given, action: 'flag' } : given;

/** A custom rule as a rule for mail that ends the asking: whoever comes first decides. */
function toMailRule(given: CustomRule): MailRule {
  const { field, test, value, action } = wholeCustomRule(given);
  return {
    enabled: true,
    match: 'all',
    conditions: [{ field, test, value }],
    actions: { ...NOTHING, flag: action === 'flag' },
    stop: true,
  };
}

/** Whether a rule lets mail through for whom it says to be from. */
const letsNamesThrough = ({ field, action }: Exclude<CustomRule, string>): boolean =>
  action === 'allow' && (field === 'from' || field === 'any');

/** A judge by a user's settings. */
export function createJudge({ spam_filters, whitelist, blacklist }: StoredSettings): Judge {
  const white = new Set(whitelist);
  const black = new Set(blacklist);
  const rules = spam_filters.custom_rules.map(wholeCustomRule);
  const askRules = createRuleMatcher(rules.map(toMailRule));
  const askRulesOfDisowned = createRuleMatcher(rules.filter(rule => !letsNamesThrough(rule)).map(toMailRule));
  const limit = SPAM_POINTS[spam_filters.sensitivity];
  return async (mail, points) => {
    const { authors, envelopeFrom, verdicts } = mail;
    const senders = envelopeFrom === '' ? authors : [...authors, envelopeFrom];
    const blackAs = findListing(black, senders);
    // Anybody can write an address into From: only one that is proved is the one that the reader trusts.
    const isProved = verdicts.dmarc === 'pass' && authors.length === 1;
    const whiteAs = isProved ? findListing(white, authors) : null;
    // The closer word counts: one address of a blocked domain may be welcome, and one of a welcome domain blocked.
    if (blackAs === 'address' || (blackAs === 'domain' && whiteAs !== 'address')) return 'sender';
    if (whiteAs !== null) return null;
    // Whatever the reader's settings say: the owner of the domain in From says that this message is forged. A whitelist
    // can't help it here, since it needs the proof that DMARC just refused.
    if (isRejected(verdicts)) return 'score';
    if (!spam_filters.enabled) return isDisowned(verdicts) ? 'score' : null;
    // Where the domain in From says that the mail is not its own, the name there opens no door.
    const ruled = isDisowned(verdicts) ? askRulesOfDisowned(mail) : askRules(mail);
    if (ruled !== null) return ruled.flag ? 'rule' : null;
    return (await points()) >= limit ? 'score' : null;
  };
}

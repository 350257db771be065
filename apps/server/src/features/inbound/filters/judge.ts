/**
 * Decides whether external mail arrives flagged, and why: by the recipient's sender lists first,
 * then by the recipient's spam rules, then by its score (docs/spec-map.md 3.33;
 * docs/interpretations.md#52). Pure except for the score, which is requested only when nothing else
 * decides. Never rejects a message; flagged messages are kept.
 */
import type { CustomRule } from '@keyfold/contract';
import { createRuleMatcher, type MailRule, type RuledMail } from '@keyfold/mail/rules';
import { SPAM_POINTS } from '../../../base/limits.ts';
import { type ArrivalVerdicts, isDisowned, isRejected } from './score.ts';
import type { StoredSettings } from './sealing.ts';
import { findListing } from './senders.ts';

export type JudgedMail = RuledMail & {
  /** Addresses of From, normalized. */
  readonly authors: readonly string[];
  /** Envelope sender, normalized; empty for a bounce. */
  readonly envelopeFrom: string;
  readonly verdicts: ArrivalVerdicts;
};

/** Why a message was flagged; null when it was not. */
export type Finding = 'sender' | 'rule' | 'score' | null;

export type Judge = (mail: JudgedMail, points: () => Promise<number>) => Promise<Finding>;

const NOTHING = { tags: [], read: false, star: false, archive: false, delete: false };

/** Returns a custom rule with all its parts, whichever form it is given in. */
export const wholeCustomRule = (given: CustomRule): Exclude<CustomRule, string> =>
  typeof given === 'string' ? { field: 'subject', test: 'contains', value: given, action: 'flag' } : given;

/** Converts a custom rule to a mail rule that stops evaluation: the first match decides. */
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

/** Returns whether a rule allows mail because of the sender it claims. */
const letsNamesThrough = ({ field, action }: Exclude<CustomRule, string>): boolean =>
  action === 'allow' && (field === 'from' || field === 'any');

/** Creates a judge for a user's settings. */
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
    // Anyone can write an address into From. Only an authenticated address is the sender that the
    // reader trusts.
    const isProved = verdicts.dmarc === 'pass' && authors.length === 1;
    const whiteAs = isProved ? findListing(white, authors) : null;
    // The more specific entry wins: an address of a blocked domain may be allowed, and an address
    // of an allowed domain blocked.
    if (blackAs === 'address' || (blackAs === 'domain' && whiteAs !== 'address')) return 'sender';
    if (whiteAs !== null) return null;
    // Applies regardless of the reader's settings: the owner of the domain in From declares this
    // message forged. A whitelist can't help here, because it requires the authentication that
    // DMARC just refused.
    if (isRejected(verdicts)) return 'score';
    if (!spam_filters.enabled) return isDisowned(verdicts) ? 'score' : null;
    // When the domain in From disowns the message, rules that allow that name do not apply.
    const ruled = isDisowned(verdicts) ? askRulesOfDisowned(mail) : askRules(mail);
    if (ruled !== null) return ruled.flag ? 'rule' : null;
    return (await points()) >= limit ? 'score' : null;
  };
}

/**
 * What plain English avoids here: each pattern with what to write instead. A space in a pattern
 * matches any whitespace, so that a line break hides nothing. Every rule has a canary in
 * plain-english.test.mjs.
 */
import { BRITISH } from '../dialect.mjs';

/**
 * @typedef {object} ProseRule
 * @property {string} name
 * @property {RegExp} pattern
 * @property {string} why
 * @property {string} instead
 */

const ARCHAIC = 'nobody says this today';
const POSTURE = 'texts and settings have no posture';
const RENAMED = 'a name that nobody outside can guess';

/** @type {Omit<ProseRule, 'name'>[]} */
const PHRASES = [
  { pattern: /\banew\b/i, why: ARCHAIC, instead: '“again”' },
  { pattern: /\bfor ever\b/i, why: ARCHAIC, instead: '“forever”, “permanently”, or name the limit' },
  {
    pattern: /\b(?:cannot|can not|can no longer|not to|to) be had\b|\bbe had (?:here|now)\b/i,
    why: ARCHAIC,
    instead: '“unavailable” or “not available”',
  },
  { pattern: /\bis no admin\b/i, why: ARCHAIC, instead: '“is not an admin”' },
  { pattern: /\bof our own making\b/i, why: ARCHAIC, instead: '“our own”, or name the author' },
  {
    pattern: /\bwho(?:so)?ever\b|\bwhomever\b/i,
    why: 'it has no subject',
    instead: 'the person or the program: “the operator”, “any client that …”',
  },
  {
    pattern: /\b(?:is|are|was|were|be|been|being) told\b(?! apart)/i,
    why: 'programs report',
    instead: '“is notified”, “receives”, “reports”, “logs”',
  },
  {
    pattern: /\bhear(?:s|d|ing)? of\b/i,
    why: 'programs receive',
    instead: '“is notified of”, “receives”, “learns”',
  },
  {
    pattern: /\bst(?:and|ands|anding|ood) in(?! for\b)\b/i,
    why: POSTURE,
    instead: '“is in”, “appears in”, “is stored in”',
  },
  {
    pattern: /\bst(?:and|ands|anding|ood) (?:there|here|beside|above|below|under|at|on)\b/i,
    why: POSTURE,
    instead: '“is”, “appears” or “is listed”',
  },
  {
    pattern: /\bl(?:ie|ies|ying|ay) (?:in|beside|there|on)\b/i,
    why: POSTURE,
    instead: '“is in”, “is stored in”, “is next to”',
  },
  { pattern: /\bnobody but\b/i, why: ARCHAIC, instead: '“only”' },
  {
    pattern: /(?<=^\s*|[.!:;(“*]\s*)Who (?:has|gets|is|can|wants|had|does|was|may)\b(?=[^.?!]*(?:[.!;]|$))/,
    why: 'a clause is no subject',
    instead: 'the subject: “Users who …”, “Anyone who …”',
  },
  {
    pattern: /\b(?:take|takes|taking|taken|took) in\b/i,
    why: 'there are exact verbs',
    instead: '“accepts”, “imports”, “uploads”, “receives”',
  },
  { pattern: /\bgoes on\b(?! to\b)/i, why: 'there is a plain verb', instead: '“continues”' },
];

/** @type {Omit<ProseRule, 'name'>[]} */
const OLD_TERMS = [
  {
    pattern: /(?<!help )\bdesks?\b/i,
    why: RENAMED,
    instead: '“resolver”, “reporter”, “filter”: what it does',
  },
  {
    pattern: /(?<!back )\bdoors?\b/i,
    why: RENAMED,
    instead: '“entry point”, “listener”, “request”, “outbound connector”',
  },
  {
    pattern: /(?<!-|\b(?:meeting|conference|chat|makes?|made) )\brooms?\b(?! (?:for|to)\b)/i,
    why: RENAMED,
    instead: '“package”, “layer”, “free space” or “capacity”',
  },
  {
    pattern:
      /(?<!\bsingle-)(?<!\b(?:small|capital|capitals?|big|upper-?case|lower-?case|wide|single|first|Latin|Greek|Cyrillic|Arabic|drive)[ -])(?<!\b(?:(?:digits?|numbers?) (?:and|or)|to the) )\bletters?\b(?! (?:and|or) (?:digit|number)|, (?:digit|number)|s of the alphabet)/i,
    why: 'mail programs have messages and drafts',
    instead: '“message” or “draft” (a character: “first letter”, “lowercase letter”)',
  },
  {
    pattern: /\bhalf[- ](?:done )?(?:sessions?|sign-ins?)\b|\bhalf-done\b/i,
    why: RENAMED,
    instead: '“MFA-pending session”',
  },
  {
    pattern: /\btwins?\b/i,
    why: RENAMED,
    instead: '“sibling copy”, “precompressed variant” or “confusable”',
  },
];

/** @type {ProseRule} */
export const BRITISH_RULE = {
  name: 'British spelling',
  pattern: new RegExp(
    `\\b\\w*(?:${[...BRITISH.map(([stem]) => stem.source), 'travell(?:ed|ing)', 'grey(?!list)'].join('|')})\\w*`,
    'i',
  ),
  why: 'one spelling, that of the specification',
  instead: 'the American spelling',
};

/** @type {(rule: Omit<ProseRule, 'name'>) => ProseRule} */
const named = rule => ({ name: rule.pattern.source, ...rule });

/** @param {RegExp} pattern */
const acrossLines = pattern => new RegExp(pattern.source.replaceAll(' ', '\\s+'), `g${pattern.flags}`);

/** @type {ProseRule[]} */
export const PROSE_RULES = [...PHRASES.map(named), ...OLD_TERMS.map(named), BRITISH_RULE].map(rule => ({
  ...rule,
  pattern: acrossLines(rule.pattern),
}));

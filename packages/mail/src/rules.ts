// Matches arriving messages against a user's rules and returns the requested actions. Pure, and the
// same code on both sides: the server for plaintext mail while it is in memory, the client for
// sealed mail. Callers store rules and apply the actions. No message makes this fail, and limits on
// the examined input bound its cost.

import type { Mailbox } from './addresses.ts';

export type RuleField = 'from' | 'to' | 'subject' | 'any';
export type RuleTest = 'contains' | 'is' | 'begins' | 'ends' | 'lacks';

export type RuleActions = {
  tags: readonly string[];
  read: boolean;
  star: boolean;
  archive: boolean;
  flag: boolean;
  delete: boolean;
};

export type MailRule = {
  enabled: boolean;
  match: 'all' | 'any';
  conditions: readonly { field: RuleField; test: RuleTest; value: string }[];
  actions: RuleActions;
  stop: boolean;
};

/**
 * Message data that rules examine; a null `subject` means that the caller cannot see it, and no
 * condition on it holds.
 */
export type RuledMail = {
  from: readonly Mailbox[];
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  subject: string | null;
};

// Limits on examined input: number of people, length of one text, and total length. A user may have
// 4,000 conditions, and each is checked against every message.
const PEOPLE_MAX = 100;
const TEXT_MAX_CHARACTERS = 1_000;
const TEXTS_MAX_CHARACTERS = 20_000;

/**
 * Returns the form in which texts are compared: ignores case, accents and the kind of blank. Marks
 * that distinguish letters of other scripts stay.
 */
export function foldForRules(text: string): string {
  return text
    .slice(0, TEXT_MAX_CHARACTERS)
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ς', 'σ')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
}

type Texts = {
  /** Whole texts: a name, an address, a subject. */
  list: readonly string[];
  /** All of them joined with a line break, which no folded text contains. */
  joined: string;
};

function textsOf(values: readonly string[]): Texts {
  const list: string[] = [];
  let characters = 0;
  for (const value of values) {
    const text = foldForRules(value);
    characters += text.length;
    if (characters > TEXTS_MAX_CHARACTERS) break;
    if (text !== '') list.push(text);
  }
  return { list, joined: list.join('\n') };
}

function peopleOf(mailboxes: readonly Mailbox[]): string[] {
  return mailboxes.slice(0, PEOPLE_MAX).flatMap(({ name, address }) => [name, address]);
}

function readTexts({ from, to, cc, subject }: RuledMail): Record<RuleField, Texts> {
  const recipients = [...peopleOf(to), ...peopleOf(cc)];
  const subjects = subject === null ? [] : [subject];
  return {
    from: textsOf(peopleOf(from)),
    to: textsOf(recipients),
    subject: textsOf(subjects),
    any: textsOf([...peopleOf(from), ...recipients, ...subjects]),
  };
}

const HOLDS: Record<RuleTest, (texts: Texts, value: string) => boolean> = {
  contains: ({ joined }, value) => joined.includes(value),
  lacks: ({ joined }, value) => !joined.includes(value),
  is: ({ list }, value) => list.includes(value),
  begins: ({ list }, value) => list.some(text => text.startsWith(value)),
  ends: ({ list }, value) => list.some(text => text.endsWith(value)),
};

/**
 * Compiles a user's rules into a matcher. It returns the combined actions of all matching rules, in
 * order up to one that stops processing; null when none matches.
 */
export function createRuleMatcher(rules: readonly MailRule[]): (mail: RuledMail) => RuleActions | null {
  const ready = rules
    .filter(rule => rule.enabled && rule.conditions.length > 0)
    .map(rule => ({
      ...rule,
      conditions: rule.conditions.map(one => ({ ...one, value: foldForRules(one.value) })),
    }));
  return mail => {
    const texts = readTexts(mail);
    const holds = ({ field, test, value }: MailRule['conditions'][number]): boolean =>
      // A value that folds to nothing would match every text, which its author did not intend.
      value !== '' && !(field === 'subject' && mail.subject === null) && HOLDS[test](texts[field], value);
    const matching: MailRule[] = [];
    for (const rule of ready) {
      const isMatch = rule.match === 'all' ? rule.conditions.every(holds) : rule.conditions.some(holds);
      if (isMatch) matching.push(rule);
      if (isMatch && rule.stop) break;
    }
    if (matching.length === 0) return null;
    const wants = (action: 'read' | 'star' | 'archive' | 'flag' | 'delete'): boolean =>
      matching.some(({ actions }) => actions[action]);
    return {
      tags: [...new Set(matching.flatMap(({ actions }) => actions.tags))],
      read: wants('read'),
      star: wants('star'),
      archive: wants('archive'),
      flag: wants('flag'),
      delete: wants('delete'),
    };
  };
}

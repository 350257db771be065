// Rules for arriving mail: which of a user's rules match, and what they want done. Pure, and the same for both readers:
// the server for plain mail while it is in memory, the client for sealed mail. Storing rules, and doing what they say, is
// theirs. Nothing in a mail makes this fail, and its cost is bounded by what is looked at.

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

/** What rules are asked about; `subject` null: the asker cannot see it, and no condition on it holds. */
export type RuledMail = {
  from: readonly Mailbox[];
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  subject: string | null;
};

// More than this is not looked at: so many people, so much of one text, so much of all together. A user may have four
// thousand conditions, and each is held against every mail.
const PEOPLE_MAX = 100;
const TEXT_MAX_CHARACTERS = 1_000;
const TEXTS_MAX_CHARACTERS = 20_000;

/**
 * The form in which texts are compared: neither case nor accents nor the kind of blank matter. Marks that tell letters
 * of other scripts apart stay.
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
  /** All of them with a line break between, which no folded text has. */
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
 * Makes a user's rules ready to be asked. What comes out says what all matching rules together want done with a mail, in
 * their order up to one that ends the asking; null when none matches.
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
      // What folds to nothing is in every text; who wrote it meant something else.
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

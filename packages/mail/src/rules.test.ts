import { expect, test } from 'vitest';
import {
  createRuleMatcher,
  foldForRules,
  type MailRule,
  type RuledMail,
  type RuleField,
  type RuleTest,
} from './rules.ts';

const NOTHING = { tags: [], read: false, star: false, archive: false, flag: false, delete: false };
const MAIL: RuledMail = {
  from: [{ name: 'Zoë Müller', address: 'zoe@shop.example' }],
  to: [{ name: 'Me', address: 'me@keyfold.test' }],
  cc: [{ name: '', address: 'team@work.example' }],
  subject: 'Ihre  Rechnung Nr. 7',
};

const rule = (
  conditions: readonly [RuleField, RuleTest, string][],
  more: Partial<Omit<MailRule, 'actions'>> & { actions?: Partial<MailRule['actions']> } = {},
): MailRule => ({
  enabled: true,
  match: 'all',
  stop: false,
  ...more,
  conditions: conditions.map(([field, test, value]) => ({ field, test, value })),
  actions: { ...NOTHING, star: true, ...more.actions },
});
const isMatch = (
  conditions: readonly [RuleField, RuleTest, string][],
  mail = MAIL,
  match: 'all' | 'any' = 'all',
) => createRuleMatcher([rule(conditions, { match })])(mail) !== null;

test.each<[RuleField, RuleTest, string, boolean]>([
  ['from', 'contains', 'ZOE MULLER', true],
  ['from', 'contains', '@shop.example', true],
  ['from', 'is', 'zoe@shop.example', true],
  ['from', 'is', 'zoe', false],
  ['from', 'begins', 'zoe', true],
  ['from', 'ends', '.example', true],
  ['from', 'ends', '.org', false],
  ['from', 'lacks', 'spam', true],
  ['from', 'lacks', 'Müller', false],
  ['to', 'contains', 'team@', true],
  ['to', 'is', 'ME', true],
  ['to', 'contains', 'zoe', false],
  ['subject', 'contains', 'ihre rechnung', true],
  ['subject', 'begins', 'ihre', true],
  ['subject', 'ends', 'nr. 7', true],
  ['subject', 'lacks', 'rechnung', false],
  ['any', 'contains', 'RECHNUNG', true],
  ['any', 'contains', 'work.example', true],
  ['any', 'lacks', 'nowhere', true],
  // A match may not begin in one field and end in another.
  ['any', 'contains', 'zoe muller zoe@shop.example', false],
])('%s %s "%s" is %s', (field, ruleTest, value, expected) => {
  expect(isMatch([[field, ruleTest, value]])).toBe(expected);
});

test('case, accents, wide letters and blanks are ignored; letters of other scripts stay distinct', () => {
  expect(foldForRules('  ÉCOLE\u00a0 Straße ＡＢ ΣΊΣΥΦΟΣ İstanbul ')).toBe(
    foldForRules('école STRASSE ab σισυφοσ istanbul'),
  );
  expect(foldForRules('か')).not.toBe(foldForRules('が'));
  expect(foldForRules('각')).not.toContain(foldForRules('가'));
});

test('a rule needs all of its conditions, or any of them', () => {
  const conditions: [RuleField, RuleTest, string][] = [
    ['from', 'contains', 'shop'],
    ['subject', 'contains', 'offer'],
  ];
  expect(isMatch(conditions)).toBe(false);
  expect(isMatch(conditions, MAIL, 'any')).toBe(true);
});

test('an encrypted subject meets no subject condition, not even “lacks”', () => {
  const sealed = { ...MAIL, subject: null };
  expect(isMatch([['subject', 'lacks', 'rechnung']], sealed)).toBe(false);
  expect(isMatch([['any', 'contains', 'shop']], sealed)).toBe(true);
});

test('a value that folds to nothing matches nothing', () => {
  for (const value of ['', '   ', '\u0301'])
    for (const kind of ['contains', 'is', 'begins', 'ends', 'lacks'] as const)
      expect(isMatch([['any', kind, value]])).toBe(false);
  expect(createRuleMatcher([rule([])])(MAIL)).toBeNull();
});

test('the actions of matching rules add up in order until a rule stops', () => {
  const match = createRuleMatcher([
    rule([['from', 'contains', 'nobody']], { actions: { delete: true } }),
    rule([['any', 'contains', 'shop']], {
      actions: { star: false, tags: ['shops', 'bills'] },
      enabled: false,
    }),
    rule([['any', 'contains', 'shop']], { actions: { star: false, tags: ['shops'], read: true } }),
    rule([['subject', 'contains', 'rechnung']], {
      actions: { star: false, tags: ['bills', 'shops'], archive: true },
      stop: true,
    }),
    rule([['any', 'contains', 'shop']], { actions: { delete: true, flag: true } }),
  ]);
  expect(match(MAIL)).toEqual({ ...NOTHING, tags: ['shops', 'bills'], read: true, archive: true });
  expect(match({ ...MAIL, from: [], subject: 'else' })).toBeNull();
});

test('the largest rules on a hostile message are matched quickly', () => {
  const person = { name: 'a'.repeat(100_000), address: `${'b'.repeat(100_000)}@c` };
  const mail = {
    from: Array(1_000).fill(person),
    to: Array(1_000).fill(person),
    cc: [],
    subject: 'ẛ̣'.repeat(500_000),
  };
  const all = createRuleMatcher(
    Array(200).fill(rule(Array(20).fill(['any', 'contains', `${'a'.repeat(199)}z`]), { match: 'any' })),
  );
  const startedAt = performance.now();
  expect(all(mail)).toBeNull();
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

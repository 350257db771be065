// Texts for rules: the fields and tests of the editor, and the sentence in the list.
import type { Rule } from '@keyfold/contract';
import { RULE_FIELDS, RULE_TESTS } from '@keyfold/contract/calls/rules';
import { t, tAs } from '../../lib/language.ts';
import { joinNames, joinParts } from '../../lib/words.ts';

type Field = (typeof RULE_FIELDS)[number];
type Test = (typeof RULE_TESTS)[number];

function fieldWords(field: Field): string {
  switch (field) {
    case 'from':
      return t('Sender');
    case 'to':
      return t('Recipient');
    case 'subject':
      return t('Subject');
    case 'any':
      return t('Sender, recipient or subject');
  }
}

function testWords(test: Test): string {
  switch (test) {
    case 'contains':
      return t('contains');
    case 'is':
      return t('is');
    case 'begins':
      return t('begins with');
    case 'ends':
      return t('ends with');
    case 'lacks':
      return t('does not contain');
  }
}

/** Field choices of the editor. */
export const fieldOptions = () => RULE_FIELDS.map(value => ({ value, label: fieldWords(value) }));
export const testOptions = () => RULE_TESTS.map(value => ({ value, label: testWords(value) }));

/** Returns a text such as "Sender contains ann and Subject begins with Invoice". */
export function conditionsText({ conditions, match }: Rule): string {
  const parts = conditions.map(({ field, test, value }) =>
    t('{field} {test} “{value}”', { field: fieldWords(field), test: testWords(test), value }),
  );
  return joinNames(parts, match === 'all' ? 'conjunction' : 'disjunction');
}

/** Names of the actions, in the order of the editor. */
export const actionOptions = (): readonly {
  key: 'read' | 'star' | 'archive' | 'flag' | 'delete';
  label: string;
}[] => [
  { key: 'read', label: t('Mark as read') },
  { key: 'star', label: tAs('verb', 'Star') },
  { key: 'archive', label: tAs('verb', 'Archive') },
  { key: 'flag', label: t('Mark as spam') },
  { key: 'delete', label: t('Move to Deleted') },
];

/** Returns a text such as "Tag Work, mark as read". */
export const actionsText = ({ actions }: Rule): string =>
  joinParts([
    ...actions.tags.map(name => t('Add tag {name}', { name })),
    ...actionOptions().flatMap(({ key, label }) => (actions[key] ? [label] : [])),
  ]);

/** A rule that does nothing yet. */
export const emptyRule: Rule = {
  name: '',
  enabled: true,
  match: 'all',
  conditions: [{ field: 'from', test: 'contains', value: '' }],
  actions: { tags: [], read: false, star: false, archive: false, flag: false, delete: false },
  stop: false,
};

/** Returns what prevents a rule from being saved, or null. */
export function problemOf({ name, conditions, actions }: Rule): string | null {
  if (name.trim() === '') return t('Enter a rule name');
  if (conditions.some(({ value }) => value.trim() === '')) return t('Every condition needs text');
  const { tags, ...others } = actions;
  if (tags.length === 0 && !Object.values(others).some(Boolean)) return t('Choose at least one action');
  return null;
}

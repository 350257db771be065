// What a rule says, in words: its fields and tests in the editor, and the sentence in the list.
import type { Rule } from '@keyfold/contract';
import { RULE_FIELDS, RULE_TESTS } from '@keyfold/contract/calls/triage';
import { t } from '../../lib/language.ts';
import { joinNames } from '../../lib/words.ts';

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

/** The choices of the editor. */
export const fieldOptions = () => RULE_FIELDS.map(value => ({ value, label: fieldWords(value) }));
export const testOptions = () => RULE_TESTS.map(value => ({ value, label: testWords(value) }));

/** As in "Sender contains ann and Subject begins with Invoice". */
export function conditionsText({ conditions, match }: Rule): string {
  const parts = conditions.map(
    ({ field, test, value }) => `${fieldWords(field)} ${testWords(test)} “${value}”`,
  );
  return match === 'all' ? joinNames(parts) : parts.join(` ${t('or')} `);
}

/** What the actions are called, in the order of the editor. */
export const actionOptions = (): readonly {
  key: 'read' | 'star' | 'archive' | 'flag' | 'delete';
  label: string;
}[] => [
  { key: 'read', label: t('Mark as read') },
  { key: 'star', label: t('Star') },
  { key: 'archive', label: t('Archive') },
  { key: 'flag', label: t('Mark as spam') },
  { key: 'delete', label: t('Move to Deleted') },
];

/** As in "Tag Work, mark as read". */
export const actionsText = ({ actions }: Rule): string =>
  [
    ...actions.tags.map(name => t('Tag {name}', { name })),
    ...actionOptions().flatMap(({ key, label }) => (actions[key] ? [label] : [])),
  ].join(', ');

/** A rule that does nothing yet. */
export const emptyRule: Rule = {
  name: '',
  enabled: true,
  match: 'all',
  conditions: [{ field: 'from', test: 'contains', value: '' }],
  actions: { tags: [], read: false, star: false, archive: false, flag: false, delete: false },
  stop: false,
};

/** What keeps a rule from being saved; null when nothing does. */
export function problemOf({ name, conditions, actions }: Rule): string | null {
  if (name.trim() === '') return t('Give the rule a name');
  if (conditions.some(({ value }) => value.trim() === '')) return t('A condition has no text');
  const { tags, ...others } = actions;
  if (tags.length === 0 && !Object.values(others).some(Boolean)) return t('Choose what the rule does');
  return null;
}

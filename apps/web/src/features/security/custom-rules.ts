// Custom rules of the spam filter, as they are kept and as they are read: a bare text is the short form of one.
import type { CustomRule } from '@keyfold/contract';
import { CUSTOM_RULES_MAX } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';
import { conditionsText, emptyRule } from '../rules/rule-words.ts';

/** A rule with all its parts. */
export type WholeRule = Exclude<CustomRule, string>;

/** A rule with all its parts, whichever form it is kept in. */
export const wholeRule = (rule: CustomRule): WholeRule =>
  typeof rule === 'string' ? { field: 'subject', test: 'contains', value: rule, action: 'flag' } : rule;

/** As in "Subject contains “casino”". */
export function customRuleText(rule: CustomRule): string {
  const { field, test, value } = wholeRule(rule);
  return conditionsText({ ...emptyRule, conditions: [{ field, test, value }] });
}

/** What becomes of the mail. */
export const actionWords = (action: WholeRule['action']): string =>
  action === 'flag' ? t('Put into Spam') : t('Let through');

/** What tells a rule from all others: the server keeps each once. */
export function customRuleKey(rule: CustomRule): string {
  const { field, test, value, action } = wholeRule(rule);
  return JSON.stringify([field, test, value, action]);
}

function sameAs(one: CustomRule) {
  const key = customRuleKey(one);
  return (other: CustomRule): boolean => customRuleKey(other) === key;
}

/** The rules with one more at the end; as they are when it is there already, or there are too many. */
export const withRule = (rules: readonly CustomRule[], rule: WholeRule): CustomRule[] =>
  rules.some(sameAs(rule)) || rules.length >= CUSTOM_RULES_MAX ? [...rules] : [...rules, rule];

/** The rules without one. */
export const withoutRule = (rules: readonly CustomRule[], rule: CustomRule): CustomRule[] =>
  rules.filter(other => !sameAs(rule)(other));

/** The rules with one a place earlier or later; as they are at either end. */
export function withMovedRule(rules: readonly CustomRule[], rule: CustomRule, step: 1 | -1): CustomRule[] {
  const at = rules.findIndex(sameAs(rule));
  const to = at + step;
  if (at < 0 || to < 0 || to >= rules.length) return [...rules];
  return rules.toSpliced(at, 1).toSpliced(to, 0, rule);
}

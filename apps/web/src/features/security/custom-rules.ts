// Custom rules of the spam filter, in stored and in full form. A plain string is the short form of
// a rule.
import type { CustomRule } from '@keyfold/contract';
import { CUSTOM_RULES_MAX } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';
import { conditionsText, emptyRule } from '../rules/rule-words.ts';

/** A rule in full form. */
export type WholeRule = Exclude<CustomRule, string>;

/** Returns the full form of a rule, whichever form is stored. */
export const wholeRule = (rule: CustomRule): WholeRule =>
  typeof rule === 'string' ? { field: 'subject', test: 'contains', value: rule, action: 'flag' } : rule;

/** Returns a text such as "Subject contains “casino”". */
export function customRuleText(rule: CustomRule): string {
  const { field, test, value } = wholeRule(rule);
  return conditionsText({ ...emptyRule, conditions: [{ field, test, value }] });
}

/** Returns the text for what happens to the message. */
export const actionWords = (action: WholeRule['action']): string =>
  action === 'flag' ? t('Move to Spam') : t('Allow');

/** Returns a unique key of a rule. The server stores each rule once. */
export function customRuleKey(rule: CustomRule): string {
  const { field, test, value, action } = wholeRule(rule);
  return JSON.stringify([field, test, value, action]);
}

function sameAs(one: CustomRule) {
  const key = customRuleKey(one);
  return (other: CustomRule): boolean => customRuleKey(other) === key;
}

/**
 * Returns the rules with one appended, or unchanged when it exists already or the limit is reached.
 */
export const withRule = (rules: readonly CustomRule[], rule: WholeRule): CustomRule[] =>
  rules.some(sameAs(rule)) || rules.length >= CUSTOM_RULES_MAX ? [...rules] : [...rules, rule];

/** Returns the rules without the given one. */
export const withoutRule = (rules: readonly CustomRule[], rule: CustomRule): CustomRule[] =>
  rules.filter(other => !sameAs(rule)(other));

/** Returns the rules with one moved up or down by one, or unchanged at either end. */
export function withMovedRule(rules: readonly CustomRule[], rule: CustomRule, step: 1 | -1): CustomRule[] {
  const at = rules.findIndex(sameAs(rule));
  const to = at + step;
  if (at < 0 || to < 0 || to >= rules.length) return [...rules];
  return rules.toSpliced(at, 1).toSpliced(to, 0, rule);
}

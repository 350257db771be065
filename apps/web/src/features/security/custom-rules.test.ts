import type { CustomRule } from '@keyfold/contract';
import { CUSTOM_RULES_MAX } from '@keyfold/contract/limits';
import { expect, test } from 'vitest';
import { customRuleText, wholeRule, withMovedRule, withoutRule, withRule } from './custom-rules.ts';

const rule = (value: string): CustomRule => ({ field: 'from', test: 'is', value, action: 'allow' });

test('plain text is read as a rule about the subject', () => {
  expect(wholeRule('casino')).toEqual({
    field: 'subject',
    test: 'contains',
    value: 'casino',
    action: 'flag',
  });
  expect(customRuleText('casino')).toBe('Subject contains “casino”');
  expect(customRuleText(rule('a@b.example'))).toBe('Sender is “a@b.example”');
});

test('a rule is added once, even if it exists in its short form, and only up to the limit', () => {
  expect(withRule(['casino'], wholeRule('casino'))).toEqual(['casino']);
  expect(withRule(['casino'], wholeRule('poker'))).toEqual(['casino', wholeRule('poker')]);
  const full = Array.from({ length: CUSTOM_RULES_MAX }, (_, index) => `word ${index}`);
  expect(withRule(full, wholeRule('one more'))).toEqual(full);
});

test('a rule is removed and moved by its content, not by its position', () => {
  expect(withoutRule(['a', rule('b'), 'c'], rule('b'))).toEqual(['a', 'c']);
  expect(withMovedRule(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b']);
  expect(withMovedRule(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(withMovedRule(['a', 'b'], 'a', -1)).toEqual(['a', 'b']);
  expect(withMovedRule(['a', 'b'], 'b', 1)).toEqual(['a', 'b']);
  expect(withMovedRule(['a', 'b'], 'gone', 1)).toEqual(['a', 'b']);
});

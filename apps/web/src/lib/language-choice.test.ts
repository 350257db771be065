import { expect, test } from 'vitest';
import { parseLanguageChoice, resolveLanguage } from './language-choice.ts';

test('the first language of the browser that there is, else English', () => {
  expect(resolveLanguage('system', ['de-AT', 'en'])).toBe('de');
  expect(resolveLanguage('system', ['ja', 'AR-EG'])).toBe('ar');
  expect(resolveLanguage('system', ['ja'])).toBe('en');
  expect(resolveLanguage('system', [])).toBe('en');
});

test('a choice wins over the browser, and an unknown stored one is no choice', () => {
  expect(resolveLanguage('fr', ['de'])).toBe('fr');
  expect(parseLanguageChoice('es')).toBe('es');
  expect(parseLanguageChoice('xx')).toBe('system');
  expect(parseLanguageChoice('toString')).toBe('system');
  expect(parseLanguageChoice(null)).toBe('system');
});

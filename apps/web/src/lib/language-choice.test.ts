import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { offeredLanguages, parseLanguageChoice, resolveLanguage } from './language-choice.ts';
import { isLanguage, languages } from './languages.ts';

const all = Object.keys(languages).filter(isLanguage);

test('the offered languages are English and those with a catalog', () => {
  const files = readdirSync(new URL('../locales', import.meta.url));
  const codes = files
    .filter(file => file.endsWith('.json') && file !== 'descriptions.json')
    .map(file => file.slice(0, -'.json'.length));
  expect([...offeredLanguages].sort()).toEqual(['en', ...codes].sort());
});

test('uses the first available language of the browser, or English', () => {
  expect(resolveLanguage('system', ['de-AT', 'en'])).toBe('de');
  expect(resolveLanguage('system', ['sv', 'AR-EG'])).toBe('ar');
  expect(resolveLanguage('system', ['sv'])).toBe('en');
  expect(resolveLanguage('system', ['not a tag', 'fr'])).toBe('fr');
  expect(resolveLanguage('system', [])).toBe('en');
  expect(resolveLanguage('system', ['ja', 'de'], ['en', 'de'])).toBe('de');
});

test.each([
  ['pt', 'pt-BR'],
  ['pt-BR', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh-hans-hk', 'zh-Hans'],
  ['zh-TW', 'en'],
  ['zh-HK', 'en'],
  ['zh-Hant', 'en'],
  ['ja-JP', 'ja'],
  ['pl-PL', 'pl'],
  ['nl-BE', 'nl'],
  ['it-CH', 'it'],
])('a browser that asks for %s gets %s', (tag, language) => {
  expect(resolveLanguage('system', [tag], all)).toBe(language);
});

test('a chosen language overrides the browser, and an unknown stored one is ignored', () => {
  expect(resolveLanguage('fr', ['de'])).toBe('fr');
  expect(parseLanguageChoice('es')).toBe('es');
  expect(parseLanguageChoice('xx')).toBe('system');
  expect(parseLanguageChoice('toString')).toBe('system');
  expect(parseLanguageChoice(null)).toBe('system');
});

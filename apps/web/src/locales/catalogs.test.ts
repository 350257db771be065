import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, test } from 'vitest';
import { formatMessage } from '../lib/message-format.ts';
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };

const catalogs: Record<string, Record<string, string>> = { ar, de, es, fr };
/** What each language's plurals need, by the rules of CLDR; millions in French and Spanish fall to `other`. */
const forms = {
  ar: ['one', 'two', 'few', 'many', 'other'],
  de: ['one', 'other'],
  es: ['one', 'other'],
  fr: ['one', 'other'],
};
/** Words of the familiar way to speak to somebody; the catalogues say Sie, usted and vous, as the mobile shell does. */
const familiar: Readonly<Record<string, readonly string[]>> = {
  de: ['du', 'dich', 'dir', 'dein', 'deine', 'deinem', 'deinen', 'deiner', 'deines', 'euch', 'euer', 'eure'],
  es: [
    'tú',
    'tu',
    'tus',
    'te',
    'ti',
    'tuyo',
    'tuya',
    'contigo',
    'os',
    'has',
    'eres',
    'estás',
    'vas',
    'puedes',
    'tienes',
    'quieres',
  ],
  fr: ['tu', 'te', 't', 'toi', 'ton', 'ta', 'tes', 'tien', 'tienne'],
};

describe.each(Object.entries(forms))('%s', (language, wanted) => {
  const texts = Object.entries(catalogs[language] ?? {});

  test('every message is ICU for other tools too', () => {
    for (const [key, text] of texts) expect(() => compileMessage(text), key).not.toThrow();
  });

  test('people are spoken to formally', () => {
    const words = new Set(familiar[language]);
    for (const [key, text] of texts) {
      const said =
        text
          .replace(/\{\w+\}/g, '')
          .toLowerCase()
          .match(/\p{L}+/gu) ?? [];
      expect(
        said.filter(word => words.has(word)),
        key,
      ).toEqual([]);
    }
  });

  test('every plural has the forms that the language needs', () => {
    for (const [key, text] of texts)
      if (/\{\w+, plural,/.test(text))
        for (const form of wanted) expect(text, key).toMatch(new RegExp(`\\b${form} \\{`));
  });

  test('nothing is left in braces for any number', () => {
    for (const [key, text] of texts) {
      const names = Object.fromEntries([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => [name, 1]));
      for (const count of [0, 1, 2, 3, 11, 100, 1_000_000]) {
        const words = Object.fromEntries(Object.keys(names).map(name => [name, count]));
        expect(formatMessage(text, words, language), key).not.toMatch(/[{}#]/);
      }
    }
  });
});

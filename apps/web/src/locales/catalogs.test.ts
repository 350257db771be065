// What the catalogs say, in every language that there is; tools/checks/translations.mjs checks their form.
import { describe, expect, test } from 'vitest';
import type { Catalog } from '../lib/language.ts';
import { isLanguage, type Language } from '../lib/languages.ts';
import { formatMessage } from '../lib/message-format.ts';

const files = import.meta.glob<Catalog>(['./*.json', '!./descriptions.json'], {
  eager: true,
  import: 'default',
});
const catalogs = Object.entries(files).map(([file, catalog]) => {
  const code = file.slice('./'.length, -'.json'.length);
  if (!isLanguage(code)) throw new Error(`${file} has no entry in lib/languages.ts`);
  return [code, Object.entries(catalog)] as const;
});

/** Words of familiar address. Catalogs say Sie, vous, usted, você, Lei, u and 您; Japanese avoids pronouns; Polish software says Ty. */
const familiar: Readonly<Partial<Record<Language, readonly string[]>>> = {
  de: ['du', 'dich', 'dir', 'dein', 'deine', 'deinem', 'deinen', 'deiner', 'deines', 'euch', 'euer', 'eure'],
  fr: ['tu', 'te', 't', 'toi', 'ton', 'ta', 'tes', 'tien', 'tienne'],
  es: [
    ...['tú', 'tu', 'tus', 'te', 'ti', 'tuyo', 'tuya', 'contigo', 'os'],
    ...['has', 'eres', 'estás', 'vas', 'puedes', 'tienes', 'quieres'],
  ],
  'pt-BR': ['tu', 'te', 'ti', 'teu', 'tua', 'teus', 'tuas', 'contigo', 'vós', 'vosso', 'vossa'],
  it: [
    ...['tu', 'ti', 'te', 'tuo', 'tua', 'tuoi', 'tue', 'voi', 'vostro', 'vostra'],
    ...['puoi', 'vuoi', 'hai', 'devi', 'sei'],
  ],
  nl: ['je', 'jij', 'jou', 'jouw', 'jullie'],
  ja: ['お前', '君', 'あなた'],
  'zh-Hans': ['你'],
};
/** Languages that do not put spaces between words: there a word is found anywhere in the text. */
const unspaced: readonly Language[] = ['ja', 'zh-Hans'];

function familiarWordsIn(text: string, language: Language): readonly string[] {
  const spoken = text.replace(/\{\w+\}/g, '').toLowerCase();
  const words = new Set(spoken.match(/\p{L}+/gu));
  const isSaid = (word: string) => (unspaced.includes(language) ? spoken.includes(word) : words.has(word));
  return (familiar[language] ?? []).filter(isSaid);
}

test('detects familiar address, with and without spaces between words', () => {
  expect(familiarWordsIn('Ändern Sie dein Passwort', 'de')).toEqual(['dein']);
  expect(familiarWordsIn('输入你的密码', 'zh-Hans')).toEqual(['你']);
  expect(familiarWordsIn('输入您的密码', 'zh-Hans')).toEqual([]);
});

describe.each(catalogs)('%s', (language, texts) => {
  test('users are addressed formally', () => {
    for (const [key, text] of texts) expect(familiarWordsIn(text, language), key).toEqual([]);
  });

  // The client puts a space or a button before such a text.
  test('a text starts with punctuation only where the English does', () => {
    const startsWithMark = (text: string) => /^[,;:!?、，。；：！？]/.test(text);
    const wrong = texts.filter(
      ([key, text]) => startsWithMark(text) && !startsWithMark(key.slice(key.indexOf('|') + 1)),
    );
    expect(wrong).toEqual([]);
  });

  test('no text leaves braces unresolved for any number', () => {
    for (const [key, text] of texts) {
      const names = [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name);
      for (const count of [0, 1, 2, 3, 5, 11, 22, 100, 1_000_000]) {
        const words = Object.fromEntries(names.map(name => [name, count]));
        expect(formatMessage(text, words, language), key).not.toMatch(/[{}#]/);
      }
    }
  });
});

// The start page names its languages, and public/theme-start.js chooses among them as the program
// does later.
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { resolveLanguage } from '../src/lib/language-choice.ts';
import { isLanguage, languages } from '../src/lib/languages.ts';
import { namePageLanguages } from './page-languages.ts';

const script = readFileSync(new URL('../public/theme-start.js', import.meta.url), 'utf8');
const all = Object.keys(languages).filter(isLanguage);

/** What the script sets on a page with `offered` for a browser that asks for `wished`. */
function start(wished: readonly string[], stored: string | null, offered: readonly string[] = all) {
  const html = namePageLanguages('<html lang="en">', language => offered.includes(language));
  const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(html)?.[1];
  const page = {
    lang: 'en',
    dir: 'ltr',
    dataset: { languages: attribute('data-languages'), rtl: attribute('data-rtl') },
  };
  vm.runInNewContext(script, {
    document: { documentElement: page },
    localStorage: { getItem: (name: string) => (name === 'language' ? stored : null) },
    matchMedia: () => ({ matches: false }),
    navigator: { languages: wished },
    addEventListener: () => undefined,
    Intl,
  });
  return [page.lang, page.dir];
}

test.each(['de-AT', 'AR-EG', 'pt', 'pt-PT', 'zh-CN', 'zh-TW', 'ja-JP', 'sv', 'not a tag', 'fr'])(
  'a browser that asks for %s starts in the language that the app chooses',
  tag => {
    const language = resolveLanguage('system', [tag], all);
    expect(start([tag], null)).toEqual([language, languages[language].direction]);
  },
);

test('a stored language wins unless it has no catalog', () => {
  expect(start(['de'], 'zh-Hans')).toEqual(['zh-Hans', 'ltr']);
  expect(start(['de'], 'ar')).toEqual(['ar', 'rtl']);
  expect(start(['de'], 'ja', ['en', 'de'])).toEqual(['de', 'ltr']);
  expect(start(['ja', 'de'], null, ['en', 'de'])).toEqual(['de', 'ltr']);
});

test('the page lists the languages that have a catalog', () => {
  const named = namePageLanguages('<html lang="en">');
  expect(named).toMatch(/^<html data-languages="en de fr es [^"]*" data-rtl="ar" lang="en">$/);
  expect(() => namePageLanguages('<p>')).toThrow('no <html>');
});

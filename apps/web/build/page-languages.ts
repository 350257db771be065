// Names the languages with a catalog on the start page, for public/theme-start.js: it runs before
// any module and sets language and direction of the first paint.
import { existsSync } from 'node:fs';
import type { Plugin } from 'vite';
import { isLanguage, type Language, languages, SOURCE_LANGUAGE } from '../src/lib/languages.ts';

const hasCatalog = (language: Language): boolean =>
  language === SOURCE_LANGUAGE || existsSync(new URL(`../src/locales/${language}.json`, import.meta.url));

/** The page with the offered languages, and again those that are written from right to left. */
export function namePageLanguages(html: string, isOffered = hasCatalog): string {
  const offered = Object.keys(languages).filter(isLanguage).filter(isOffered);
  const fromTheRight = offered.filter(language => languages[language].direction === 'rtl');
  const names = `data-languages="${offered.join(' ')}" data-rtl="${fromTheRight.join(' ')}"`;
  const named = html.replace('<html ', `<html ${names} `);
  if (named === html) throw new Error('The start page has no <html> with attributes');
  return named;
}

/** The plugin, for builds and for the development server. */
export const pageLanguages = (): Plugin => ({
  name: 'keyfold-page-languages',
  transformIndexHtml: html => namePageLanguages(html),
});

// Chooses the language of the UI: the user's choice, else the first of the browser's languages that
// is available. Stored under the local-storage key `language`; public/theme-start.js reads the same
// key before the first paint and sets direction and language of the page. A change reloads the
// page, so that no text in the old language stays.
import { type Catalog, isRightToLeft, setLanguage } from './language.ts';
import { isLanguage, type Language, languages, matchLanguage, SOURCE_LANGUAGE } from './languages.ts';
import { loadAgain } from './load-again.ts';
import { findSetting, keepSetting } from './local-storage.ts';

/**
 * The existing catalogs, each in its own chunk. Notes for translators are not part of the client.
 */
const catalogs = import.meta.glob<Catalog>(['../locales/*.json', '!../locales/descriptions.json'], {
  import: 'default',
});
const loaderOf = (language: Language) => catalogs[`../locales/${language}.json`];

/** The languages that people can choose: English, and those of the table that have a catalog. */
export const offeredLanguages: readonly Language[] = Object.keys(languages)
  .filter(isLanguage)
  .filter(language => language === SOURCE_LANGUAGE || loaderOf(language) !== undefined);

export type LanguageChoice = Language | 'system';

const storageKey = 'language';

/** Parses a stored value. Anything unknown is System. */
export const parseLanguageChoice = (stored: string | null): LanguageChoice =>
  offeredLanguages.find(language => language === stored) ?? 'system';

/** Returns the language for a choice and the browser's preferred languages, `wished`, in order. */
export function resolveLanguage(
  choice: LanguageChoice,
  wished: readonly string[],
  offered: readonly Language[] = offeredLanguages,
): Language {
  if (choice !== 'system') return choice;
  for (const tag of wished) {
    const language = matchLanguage(tag, offered);
    if (language !== undefined) return language;
  }
  return SOURCE_LANGUAGE;
}

/** Returns the current choice. */
export const languageChoice = (): LanguageChoice => parseLanguageChoice(findSetting(storageKey));

/** Saves the choice. It takes effect with the next page load, which the caller starts. */
export function keepLanguageChoice(choice: LanguageChoice): void {
  keepSetting(storageKey, choice);
}

/**
 * Sets the language of the page and fetches its texts; falls back to English when they cannot be
 * fetched.
 */
export async function startLanguage(): Promise<void> {
  const language = resolveLanguage(languageChoice(), navigator.languages);
  const load = loaderOf(language);
  const page = document.documentElement;
  if (load === undefined) return show(page, SOURCE_LANGUAGE, {});
  try {
    show(page, language, await loadAgain(load));
  } catch {
    // A page in English is better than no page.
    show(page, SOURCE_LANGUAGE, {});
  }
}

function show(page: HTMLElement, language: Language, texts: Catalog): void {
  setLanguage(language, texts);
  page.lang = language;
  page.dir = isRightToLeft() ? 'rtl' : 'ltr';
}

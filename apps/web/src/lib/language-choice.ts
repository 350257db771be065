// Which language the product speaks: the one that was chosen, else the first of the browser's that there is.
// Kept under the local-storage key `language`; public/theme-start.js reads the same key before the first paint and sets
// direction and language of the page. A change loads the page anew, so that no text of the old language stays.
import { type Catalog, isRightToLeft, setLanguage } from './language.ts';
import { loadAgain } from './load-again.ts';
import { findSetting, keepSetting } from './local-storage.ts';

/** Every language, by its own name. English needs no catalogue. */
export const languages = {
  en: { name: 'English', load: null },
  de: { name: 'Deutsch', load: () => import('../locales/de.json') },
  fr: { name: 'Français', load: () => import('../locales/fr.json') },
  es: { name: 'Español', load: () => import('../locales/es.json') },
  ar: { name: 'العربية', load: () => import('../locales/ar.json') },
} as const satisfies Record<string, { name: string; load: null | (() => Promise<{ default: Catalog }>) }>;

export type Language = keyof typeof languages;
export type LanguageChoice = Language | 'system';

const storageKey = 'language';

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

/** A stored value as a choice; anything unknown is System. */
export const parseLanguageChoice = (stored: string | null): LanguageChoice =>
  stored !== null && isLanguage(stored) ? stored : 'system';

/** The language that a choice means to a browser that asks for `wished`, in this order. */
export function resolveLanguage(choice: LanguageChoice, wished: readonly string[]): Language {
  if (choice !== 'system') return choice;
  for (const one of wished) {
    const tag = one.toLowerCase().split('-')[0] ?? '';
    if (isLanguage(tag)) return tag;
  }
  return 'en';
}

/** What is chosen now. */
export const languageChoice = (): LanguageChoice => parseLanguageChoice(findSetting(storageKey));

/** Keeps the choice; it counts from the next load of the page, which the caller starts. */
export function keepLanguageChoice(choice: LanguageChoice): void {
  keepSetting(storageKey, choice);
}

/** Sets the language of the page and fetches its texts; English when they cannot be fetched. */
export async function startLanguage(): Promise<void> {
  const language = resolveLanguage(languageChoice(), navigator.languages);
  const load = languages[language].load;
  const page = document.documentElement;
  if (load === null) return show(page, 'en', {});
  try {
    show(page, language, (await loadAgain<{ default: Catalog }>(load)).default);
  } catch {
    // A page in English is better than none.
    show(page, 'en', {});
  }
}

function show(page: HTMLElement, language: Language, texts: Catalog): void {
  setLanguage(language, texts);
  page.lang = language;
  page.dir = isRightToLeft() ? 'rtl' : 'ltr';
}

// The table of languages, read by the web client, its build, the catalog tools and the mobile
// shell. A new language needs one entry here and its catalog, src/locales/<code>.json; the client
// offers it once that file exists. Imports nothing.

type Entry = {
  /** The language's own name, as the picker shows it. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** What separates two sentences. */
  gap: ' ' | '';
};

export const languages = {
  en: { name: 'English', direction: 'ltr', gap: ' ' },
  de: { name: 'Deutsch', direction: 'ltr', gap: ' ' },
  fr: { name: 'Français', direction: 'ltr', gap: ' ' },
  es: { name: 'Español', direction: 'ltr', gap: ' ' },
  'pt-BR': { name: 'Português (Brasil)', direction: 'ltr', gap: ' ' },
  it: { name: 'Italiano', direction: 'ltr', gap: ' ' },
  nl: { name: 'Nederlands', direction: 'ltr', gap: ' ' },
  pl: { name: 'Polski', direction: 'ltr', gap: ' ' },
  ar: { name: 'العربية', direction: 'rtl', gap: ' ' },
  ja: { name: '日本語', direction: 'ltr', gap: '' },
  'zh-Hans': { name: '简体中文', direction: 'ltr', gap: '' },
} as const satisfies Record<string, Entry>;

export type Language = keyof typeof languages;

/** English is in the sources and needs no catalog. */
export const SOURCE_LANGUAGE: Language = 'en';

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

/**
 * Returns the language and script of a tag, with the likely script if the tag has none: `zh-TW` is
 * `zh-Hant`. Returns null for a malformed tag.
 */
function writtenForm(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}

/**
 * Returns the offered language that matches a browser's tag: the same tag, else the same language
 * in the same script. `pt` and `pt-PT` match `pt-BR`, and `zh-CN` matches `zh-Hans`, but `zh-TW`
 * does not.
 */
export function matchLanguage<Offered extends string>(
  tag: string,
  offered: readonly Offered[],
): Offered | undefined {
  const exact = offered.find(one => one.toLowerCase() === tag.toLowerCase());
  if (exact !== undefined) return exact;
  const form = writtenForm(tag);
  return form === null ? undefined : offered.find(one => writtenForm(one) === form);
}

// Translates UI texts. English texts are their own keys. The catalog of another language is fetched
// before the first screen and stays for the life of the page. language-choice.ts chooses the
// language. Never call `t` during module evaluation: the catalog is not loaded yet.
import { type Language, languages, matchLanguage, SOURCE_LANGUAGE } from './languages.ts';
import { formatMessage, type Words } from './message-format.ts';

export type Catalog = Readonly<Record<string, string>>;

let catalog: Catalog = {};
let tag: Language = SOURCE_LANGUAGE;
let locale: string | undefined;

/**
 * Returns the text in the current language with its arguments filled in: {name}, and ICU plurals
 * and selects, as in {count, plural, one {# mail} other {# mails}}. Numbers are grouped as the
 * language requires. The message must be a literal.
 */
export function t(message: string, words: Words = {}): string {
  return formatMessage(catalog[message] ?? message, words, formatLocale());
}

/**
 * Like `t`, for a word with two meanings, as `tAs('verb', 'Archive')` beside the folder
 * `t('Archive')`.
 */
export function tAs(meaning: string, message: string, words: Words = {}): string {
  return formatMessage(catalog[`${meaning}|${message}`] ?? message, words, formatLocale());
}

/**
 * Returns the locale for dates, numbers and lists: the language with the region of the browser, as
 * in 'en-GB'.
 */
export function formatLocale(): string {
  locale ??= findLocale();
  return locale;
}

/** Whether the current language is written from right to left. */
export const isRightToLeft = (): boolean => languages[tag].direction === 'rtl';

/** Keeps a text, such as a size or a DNS record, from left to right in any language. */
export const isolate = (text: string): string => (isRightToLeft() ? `\u2066${text}\u2069` : text);

/** Returns what separates two sentences: a space, or nothing in Japanese and Chinese. */
export const sentenceGap = (): string => languages[tag].gap;

/**
 * Arabic uses Latin digits, like sizes, codes and addresses, so that a screen has only one kind of
 * digits.
 */
function findLocale(): string {
  const wished = globalThis.navigator?.languages ?? [];
  const regional = wished.find(one => matchLanguage(one, [tag]) !== undefined) ?? tag;
  return tag === 'ar' ? `${regional}-u-nu-latn` : regional;
}

/**
 * Sets the language and its texts. For page start and tests; screens that are already rendered are
 * not updated.
 */
export function setLanguage(nextTag: Language, texts: Catalog): void {
  tag = nextTag;
  catalog = texts;
  locale = undefined;
}

/**
 * Marks a text as a message that is passed to `t` later, as in a table of labels. Returns it
 * unchanged.
 */
export const term = <Text extends string>(message: Text): Text => message;

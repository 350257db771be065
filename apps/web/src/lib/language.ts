// The words of the product in the reader's language. English texts are their own keys; the catalogue of another language
// is fetched when it is chosen, before the first screen, and stays for the life of the page. Which language that is,
// is decided in language-choice.ts. Never call `t` while a module is being loaded: the catalogue is not there yet.
import { formatMessage, type Words } from './message-format.ts';

export type Catalog = Readonly<Record<string, string>>;

let catalog: Catalog = {};
let tag = 'en';
let locale: string | undefined;

/**
 * The text in the language that is set, with its words filled in: {name}, and ICU plurals and selects, as in
 * {count, plural, one {# mail} other {# mails}}. Numbers are grouped as the language does. The message must be a literal.
 */
export function t(message: string, words: Words = {}): string {
  return formatMessage(catalog[message] ?? message, words, formatLocale());
}

/** As `t`, for a word that means two things, as `tAs('verb', 'Archive')` beside the folder `t('Archive')`. */
export function tAs(meaning: string, message: string, words: Words = {}): string {
  return formatMessage(catalog[`${meaning}|${message}`] ?? message, words, formatLocale());
}

/** How dates, numbers and lists are written: the language with the region of the browser, as in 'en-GB'. */
export function formatLocale(): string {
  locale ??= findLocale();
  return locale;
}

/** Whether the language that is set runs from right to left. */
export const isRightToLeft = (): boolean => tag === 'ar';

/** Arabic keeps the digits of sizes, codes and addresses, so that one screen has one kind. */
function findLocale(): string {
  const wished = globalThis.navigator?.languages ?? [];
  const regional = wished.find(one => one.split('-')[0] === tag) ?? tag;
  return tag === 'ar' ? `${regional}-u-nu-latn` : regional;
}

/** Sets the language and its texts. For the start of the page and for tests; screens that stand already are not redrawn. */
export function setLanguage(nextTag: string, texts: Catalog): void {
  tag = nextTag;
  catalog = texts;
  locale = undefined;
}

/** Marks a text as a message that somebody hands to `t` later, as in a table of labels. Gives it back as it is. */
export const term = <Text extends string>(message: Text): Text => message;

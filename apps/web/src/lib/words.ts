// Small text formatters: plurals, grouped numbers, lists of names, initials.
import { formatLocale, sentenceGap, t } from './language.ts';
import { writeNumber } from './message-format.ts';

/** Formats a number with grouped thousands, as in "2,400". */
export function formatCount(count: number): string {
  return writeNumber(formatLocale(), count);
}

/** Joins names for a sentence, as in "Ines, Tomasz, and Karl", or with "or". */
export function joinNames(
  names: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  return new Intl.ListFormat(formatLocale(), { type }).format(names);
}

/** Joins items that form no sentence with the language's separator, as in "1 accepted, 1 maybe". */
export function joinParts(parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(t(', '));
}

/** Puts sentences in a row, without the empty ones. */
export const joinSentences = (...sentences: readonly string[]): string =>
  sentences.filter(sentence => sentence !== '').join(sentenceGap());

/**
 * Returns up to two capital letters for a name or an address; "?" when it has no letter or digit.
 */
export function initialsOf(name: string): string {
  const parts = name.split(/[\s,.@_-]+/u).filter(part => /[\p{L}\p{N}]/u.test(part));
  const letters = parts.slice(0, 2).map(part => part.match(/[\p{L}\p{N}]/u)?.[0] ?? '');
  return letters.join('').toUpperCase() || '?';
}

/** Returns Ada <ada@x.example>, or the part of it that is available. */
export const personWords = ({
  name,
  address,
}: {
  readonly name: string;
  readonly address: string;
}): string => (name === '' || address === '' ? name || address : `${name} <${address}>`);

// Phrase matching. The index stores no positions, which would double its size. It finds messages
// that have all words of a phrase in one field, and their text is then read to check that the words
// are adjacent.

import type { IndexedMail } from './build.ts';
import { fold } from './fold.ts';
import { FIELD_MAX_CHARACTERS } from './limits.ts';
import { findNumber, holdsNumber } from './numbers.ts';
import type { Condition, Query } from './query.ts';

/** Folded words separated by one space, with a space at each end. */
const words = (text: string): string =>
  ` ${[...fold(text).matchAll(/[\p{L}\p{N}\p{M}\u30fc]+|\p{Extended_Pictographic}/gu)].join(' ')} `;

const wordCount = (text: string): number => words(text).trim().split(' ').length;

const isForText = ({ text, isExact }: Condition & { kind: 'words' }): boolean =>
  isExact ? wordCount(text) > 1 : findNumber(text) !== null;

/**
 * Conditions that only the text of a message can decide: phrases of several words, and numbers that
 * may be grouped.
 */
export const phraseIndexes = ({ conditions }: Query): number[] =>
  conditions.flatMap((condition, index) =>
    condition.kind === 'words' && isForText(condition) ? [index] : [],
  );

/** Reports whether the words of a condition are adjacent in one of its fields. */
export function holdsPhrase(condition: Condition, texts: IndexedMail['texts']): boolean {
  if (condition.kind !== 'words') return false;
  const wanted = words(condition.text);
  const number = condition.isExact ? null : findNumber(condition.text);
  const looked = condition.field === null ? Object.values(texts) : [texts[condition.field]];
  return looked.some(whole => {
    // The index covers no more of the text.
    const text = whole.slice(0, FIELD_MAX_CHARACTERS);
    return number === null ? words(text).includes(wanted) : holdsNumber(text, number);
  });
}

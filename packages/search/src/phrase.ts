// Phrases. The index knows no positions: it would need as much room again as all the rest. It finds the mails that have all
// words of a phrase in one field, and those are read again to see whether the words are neighbours.

import type { IndexedMail } from './build.ts';
import { fold } from './fold.ts';
import { FIELD_MAX_CHARACTERS } from './limits.ts';
import { findNumber, holdsNumber } from './numbers.ts';
import type { Condition, Query } from './query.ts';

/** Folded words with one blank between, and one on each side. */
const words = (text: string): string =>
  ` ${[...fold(text).matchAll(/[\p{L}\p{N}\p{M}\u30fc]+|\p{Extended_Pictographic}/gu)].join(' ')} `;

const wordCount = (text: string): number => words(text).trim().split(' ').length;

const isForText = ({ text, isExact }: Condition & { kind: 'words' }): boolean =>
  isExact ? wordCount(text) > 1 : findNumber(text) !== null;

/** Conditions that the text of a mail has to decide: phrases of more than one word, and numbers that may be in groups. */
export const phraseIndexes = ({ conditions }: Query): number[] =>
  conditions.flatMap((condition, index) =>
    condition.kind === 'words' && isForText(condition) ? [index] : [],
  );

/** Whether the words of a condition are neighbours in one of its fields. */
export function holdsPhrase(condition: Condition, texts: IndexedMail['texts']): boolean {
  if (condition.kind !== 'words') return false;
  const wanted = words(condition.text);
  const number = condition.isExact ? null : findNumber(condition.text);
  const looked = condition.field === null ? Object.values(texts) : [texts[condition.field]];
  return looked.some(whole => {
    // No more of it is in the index.
    const text = whole.slice(0, FIELD_MAX_CHARACTERS);
    return number === null ? words(text).includes(wanted) : holdsNumber(text, number);
  });
}

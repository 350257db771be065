// Phrases. The index knows no positions: it would need as much room again as all the rest. It finds the mails that have all
// words of a phrase in one field, and those are read again to see whether the words are neighbours.

import type { IndexedMail } from './build.ts';
import { fold } from './fold.ts';
import type { Condition, Query } from './query.ts';

/** Folded words with one blank between, and one on each side. */
const words = (text: string): string =>
  ` ${[...fold(text).matchAll(/[\p{L}\p{N}\p{M}\u30fc]+|\p{Extended_Pictographic}/gu)].join(' ')} `;

const wordCount = (text: string): number => words(text).trim().split(' ').length;

/** Conditions that the text of a mail has to decide: phrases of more than one word. */
export const phraseIndexes = ({ conditions }: Query): number[] =>
  conditions.flatMap((condition, index) =>
    condition.kind === 'words' && condition.isExact && wordCount(condition.text) > 1 ? [index] : [],
  );

/** Whether the words of a condition are neighbours in one of its fields. */
export function holdsPhrase(condition: Condition, texts: IndexedMail['texts']): boolean {
  if (condition.kind !== 'words') return false;
  const wanted = words(condition.text);
  const looked = condition.field === null ? Object.values(texts) : [texts[condition.field]];
  return looked.some(text => words(text).includes(wanted));
}

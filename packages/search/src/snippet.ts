// The piece of a mail's text around what was searched for, for rows of results: a row says why it is there.
import { findMarks, type Mark } from './highlight.ts';

/** Characters in front of the hit, and of the whole piece; a hit that is this near to the beginning is seen anyway. */
const BEFORE_CHARACTERS = 40;
const PIECE_CHARACTERS = 240;
const SEEN_CHARACTERS = 60;

/** The piece around the first hit; null where there is none, or where a text's own beginning shows it. */
export function snippetAt(text: string, marks: readonly Mark[]): string | null {
  const [first] = findMarks(text, marks);
  if (first === undefined) return null;
  const head = text.slice(0, first.start).replace(/\s+/gu, ' ').trimStart();
  if (head.length <= SEEN_CHARACTERS) return null;
  const near = head.slice(-BEFORE_CHARACTERS);
  // From a word's beginning, where words have blanks between.
  const blank = near.indexOf(' ');
  const before = blank < 0 || blank > BEFORE_CHARACTERS / 2 ? near : near.slice(blank + 1);
  const behind = text.slice(first.start, first.start + PIECE_CHARACTERS).replace(/\s+/gu, ' ');
  return `… ${`${before}${behind}`.toWellFormed().trim()}`;
}

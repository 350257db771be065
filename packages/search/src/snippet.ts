// Extracts the part of a message's text around a search hit, so that a result row shows why it
// matched.
import { findMarks, type Mark } from './highlight.ts';

/**
 * Characters before the hit, and of the whole snippet. A hit this close to the beginning is visible
 * anyway.
 */
const BEFORE_CHARACTERS = 40;
const PIECE_CHARACTERS = 240;
const SEEN_CHARACTERS = 60;

/**
 * Returns the snippet around the first hit, or null if there is no hit or the beginning of the text
 * already shows it.
 */
export function snippetAt(text: string, marks: readonly Mark[]): string | null {
  const [first] = findMarks(text, marks);
  if (first === undefined) return null;
  const head = text.slice(0, first.start).replace(/\s+/gu, ' ').trimStart();
  if (head.length <= SEEN_CHARACTERS) return null;
  const near = head.slice(-BEFORE_CHARACTERS);
  // Start at a word boundary in scripts that separate words with spaces.
  const blank = near.indexOf(' ');
  const before = blank < 0 || blank > BEFORE_CHARACTERS / 2 ? near : near.slice(blank + 1);
  const behind = text.slice(first.start, first.start + PIECE_CHARACTERS).replace(/\s+/gu, ' ');
  return `… ${`${before}${behind}`.toWellFormed().trim()}`;
}

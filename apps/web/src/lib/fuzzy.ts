// Scores how well a few typed characters match a text, in this order: its beginning, the beginning
// of a word, a substring, or its characters in order with gaps. Contains no product texts. Ignores
// accents and case.

/** Lowercase without accents. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Returns the total gap between the characters of `wanted` in `text`, or -1 when they do not all
 * occur in order.
 */
function gapsOf(text: string, wanted: string): number {
  let at = -1;
  let first = -1;
  for (const letter of wanted) {
    if (letter === ' ') continue;
    at = text.indexOf(letter, at + 1);
    if (at < 0) return -1;
    if (first < 0) first = at;
  }
  return at - first - wanted.length + 1;
}

/**
 * Returns a score from 1 (the text begins with it) down to just above 0, or 0 for no match. An
 * empty input matches everything.
 */
export function fuzzyScore(text: string, typed: string): number {
  const [folded, wanted] = [fold(text), fold(typed.trim())];
  if (wanted === '') return 1;
  // Among equal matches, shorter texts come first.
  const share = Math.min(1, wanted.length / Math.max(1, folded.length)) / 10;
  const at = folded.indexOf(wanted);
  if (at === 0) return 0.9 + share;
  if (at > 0) return (/[\p{L}\p{N}]/u.test(folded[at - 1] ?? '') ? 0.5 : 0.7) + share;
  const gaps = gapsOf(folded, wanted);
  return gaps < 0 ? 0 : 0.3 / (1 + gaps / 8) + share;
}

// How well a few typed letters stand for a text: its beginning, the beginning of a word, a part of it, or its letters in
// order with gaps, in this order. Knows no product word; accents and case do not count.

/** Small letters without accents. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** How far apart the letters of `wanted` stand in `text`, or -1 when they are not all there in order. */
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

/** From 1 (the text begins with it) down to just above 0; 0 when it does not fit. Nothing typed fits everything. */
export function fuzzyScore(text: string, typed: string): number {
  const [folded, wanted] = [fold(text), fold(typed.trim())];
  if (wanted === '') return 1;
  // Shorter texts first among equals.
  const share = Math.min(1, wanted.length / Math.max(1, folded.length)) / 10;
  const at = folded.indexOf(wanted);
  if (at === 0) return 0.9 + share;
  if (at > 0) return (/[\p{L}\p{N}]/u.test(folded[at - 1] ?? '') ? 0.5 : 0.7) + share;
  const gaps = gapsOf(folded, wanted);
  return gaps < 0 ? 0 : 0.3 / (1 + gaps / 8) + share;
}

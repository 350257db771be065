// Extracts the words of a recovery kit from typed or pasted text. The kit numbers its words, so
// text copied from the printed kit contains the numbers. Separate from recovery.ts, which loads the
// list of 2048 words.

/** Returns the words in order, in lowercase; numbers and punctuation around them are dropped. */
export function readRecoveryPhrase(text: string): string[] {
  return text.toLowerCase().match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
}

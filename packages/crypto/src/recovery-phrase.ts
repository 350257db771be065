// The words of a recovery kit out of what somebody typed or pasted. The kit numbers its words, so that text copied from
// its paper has the numbers in it. Apart from recovery.ts, which brings the list of 2048 words.

/** The words in their order, in small letters; numbers and marks around them are left out. */
export function readRecoveryPhrase(text: string): string[] {
  return text.toLowerCase().match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
}

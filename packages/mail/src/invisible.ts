// Invisible characters in one place: format controls, zero-width and bidi marks, fillers. Readers
// of a text decide how to treat them: addresses drop them, links show them as escapes, confusable
// checks ignore them.

/** All invisible characters, one at a time. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * Invisible characters that shape their neighbors: joiners of several scripts, variation selectors
 * of letters and emoji.
 */
export const SHAPING = /[\u200c\u200d]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** The remaining invisible characters, which belong in no word or name. */
export const INVISIBLE_ALONE =
  /(?![\u200c\u200d]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * Returns a text without combining marks beyond 30 on one letter, more than any script uses.
 * Normalization sorts the marks of a letter in time quadratic in their number, so untrusted text
 * passes through here first.
 */
export const withoutPiles = (text: string): string => text.replace(/(\p{M}{30})\p{M}+/gu, '$1');

// Characters that nobody sees, in one place: format controls, zero-width and bidi marks, fillers. What is done about them is
// decided where a text is read: addresses lose them, links show them as escapes, look-alikes are compared without them.

/** All of them, one at a time. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Those of them that shape what stands beside them: joiners of several scripts, variants of letters and emoji. */
export const SHAPING = /[\u200c\u200d]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** The others, which belong to no word and no name. */
export const INVISIBLE_ALONE =
  /(?![\u200c\u200d]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * A text without the marks that are piled on one letter beyond any that is written. Normal forms put the marks of a letter in
 * order, which takes a time that grows with their square: strangers' texts come through here first.
 */
export const withoutPiles = (text: string): string => text.replace(/(\p{M}{30})\p{M}+/gu, '$1');

/** Parses settings that are lists. Base layer. */

/** Returns the items between the commas, without empty ones. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');

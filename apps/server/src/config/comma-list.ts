/**
 * Settings that are lists. Ground.
 */

/** What stands between the commas, without what is empty. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');

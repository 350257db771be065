// Folds all spellings of a word into one form: resolves compatibility forms, lowercases, and
// removes accents. ä, A and ａ become a. Marks that distinguish words in other scripts (Indic vowel
// signs, Japanese voiced marks) stay. Linear in the length of the text.

/**
 * Marks that are accents: on Latin, Greek and Cyrillic letters, Hebrew points, Arabic vowels; and
 * invisible characters.
 */
const ACCENTS = new RegExp(
  `[${[
    '\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f',
    '\\u0483-\\u0487',
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7',
    '\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed',
    '\\ufe00-\\ufe0f\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff',
  ].join('')}]+`,
  'g',
);

/**
 * More marks on one letter than any script uses: normalization sorts the marks of a letter in time
 * quadratic in their number.
 */
const PILES = /(\p{M}{30})\p{M}+/gu;

/** Letters that have no decomposition to their plain equivalents. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ı: 'i',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ς: 'σ',
  '’': "'",
};
const SPECIAL = /[ßıøłđħæœþðς’]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, control characters included
const ASCII = /^[\u0000-\u007f]*$/;

/** Returns the folded text. Folding is idempotent. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .replace(PILES, '$1')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(SPECIAL, letter => PLAIN[letter] ?? letter);
}

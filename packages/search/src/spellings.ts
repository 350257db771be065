// Alternative spellings of a typed word, beyond the forms that fold.ts unifies: ü and ue, å and aa,
// Arabic and Hebrew words with and without prefixes, Korean words without their particles, both
// kinds of kana, digits of other scripts. The index stores each word once, as written; the query is
// expanded instead.
import { fold } from './fold.ts';

export type Spelling = {
  readonly text: string;
  /** The word ends there. */
  readonly isWhole: boolean;
};

/** Maximum spellings per word: each is looked up in every segment. */
const SPELLINGS_MAX = 64;

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const UMLAUT = /[äöüåø]/g;

/** Spellings with two characters for each character that has a two-letter form. */
function written(typed: string): string[] {
  const text = typed.normalize('NFC').toLowerCase();
  return UMLAUT.test(text) ? [fold(text.replace(UMLAUT, letter => UMLAUTS[letter] ?? letter))] : [];
}

/** `ue` after a, e and q is not ü. */
const PAIR = /(?<=^|[^aeqou])ue|ae|oe|aa/g;
const PAIRS_MAX = 3;
/**
 * Minimum characters for a contracted word to match as a prefix. Shorter ones match too many words.
 */
const SHORT_LETTERS = 6;
const SHORTEST_LETTERS = 3;

/**
 * Spellings with pairs that may represent ä, ö, ü, å and ø contracted to one character, in every
 * combination.
 */
function contracted(text: string): Spelling[] {
  const places = [...text.matchAll(PAIR)].slice(0, PAIRS_MAX).map(({ index }) => index);
  return Array.from({ length: 2 ** places.length - 1 }, (_, choice) => {
    let made = text;
    for (const [at, place] of [...places.entries()].reverse())
      if ((choice + 1) & (1 << at)) made = made.slice(0, place + 1) + made.slice(place + 2);
    return { text: made, isWhole: made.length < SHORT_LETTERS };
  }).filter(one => one.text.length >= SHORTEST_LETTERS);
}

const KATAKANA = /[\u30a1-\u30f6]/g;
const HIRAGANA = /[\u3041-\u3096]/g;
const KANA_STEP = 0x60;

const kana = (text: string): string[] => [
  text.replace(KATAKANA, letter => String.fromCharCode(letter.charCodeAt(0) - KANA_STEP)),
  text.replace(HIRAGANA, letter => String.fromCharCode(letter.charCodeAt(0) + KANA_STEP)),
];

const ZEROS = [0x30, 0x660, 0x6f0] as const;
const DIGIT = /[0-9\u0660-\u0669\u06f0-\u06f9]/g;

const digits = (text: string): string[] =>
  ZEROS.map(zero =>
    text.replace(DIGIT, digit => String.fromCharCode(zero + ((digit.charCodeAt(0) & 15) % 10))),
  );

const PERSIAN: readonly (readonly [RegExp, string])[] = [
  [/ی/g, 'ي'],
  [/ک/g, 'ك'],
  [/ٱ/g, 'ا'],
];

/** Prefixes written together with the following word: and, so, in, like, for, the, will. */
const ARABIC_BEFORE = [
  'ال',
  'وال',
  'بال',
  'فال',
  'كال',
  'لل',
  'ولل',
  'و',
  'ب',
  'ل',
  'ف',
  'ك',
  'وب',
  'ول',
  'فل',
  'س',
];
const ARABIC_ARTICLE = /^(?:[وف]?(?:بال|كال|ال|لل)|[وفبكل](?=\p{L}{4}))(?=\p{L}{2})/u;
const HEBREW_BEFORE = [
  'ה',
  'ו',
  'ב',
  'ל',
  'מ',
  'ש',
  'כ',
  'וה',
  'שה',
  'מה',
  'כש',
  'וב',
  'ול',
  'ומ',
  'וש',
  'וכ',
  'לה',
  'בה',
  'כה',
  'של',
  'כשה',
];
const HEBREW_ARTICLE = /^(?:[וש]?ה|ו(?=\p{L}{4})|[בלמכש](?=\p{L}{4}))(?=\p{L}{3})/u;

const withEach = (stems: readonly string[], before: readonly string[]): string[] =>
  stems.flatMap(stem => [stem, ...before.map(one => one + stem)]);

/**
 * Spelling variants of a word's ending: ta marbuta and ha, alif maqsura and ya, and ta before a
 * suffix.
 */
function arabicEnds(word: string): string[] {
  const start = word.slice(0, -1);
  if (/[ةه]$/.test(word))
    return [word, `${start}ة`, `${start}ه`, ...(word.endsWith('ة') ? [`${start}ت`] : [])];
  return /[ىيی]$/.test(word) ? [word, `${start}ى`, `${start}ي`, `${start}ی`] : [word];
}

function arabic(word: string): string[] {
  const plain = PERSIAN.reduce((text, [from, to]) => text.replace(from, to), word);
  const persian = plain.replaceAll('ي', 'ی').replaceAll('ك', 'ک');
  const stem = plain.replace(ARABIC_ARTICLE, '');
  const stems = [...new Set([plain, stem])].flatMap(arabicEnds);
  return [word, persian, ...withEach([...new Set(stems)].slice(0, 4), ARABIC_BEFORE)];
}

function hebrew(word: string): string[] {
  const stem = word.replace(HEBREW_ARTICLE, '');
  return withEach([...new Set([word, stem])], HEBREW_BEFORE);
}

const PARTICLE =
  /(?<=[가-힣]{2})(?:에서는|으로는|에게서|이라고|까지|부터|에서|에게|으로|처럼|보다|마다|조차|라고|이나|하고|을|를|이|가|은|는|에|의|도|로|와|과|만)$/;

const isOf = (script: RegExp, text: string): boolean => script.test(text);

/** Returns the spellings of a typed word, the folded word itself first. */
export function spellingsOf(typed: string): Spelling[] {
  const text = fold(typed);
  const open = (one: string): Spelling => ({ text: one, isWhole: false });
  const found: Spelling[] = [open(text), ...written(typed).map(open)];
  if (isOf(/^[a-z]+$/, text)) found.push(...contracted(text));
  if (isOf(/[\u3041-\u3096\u30a1-\u30f6]/, text)) found.push(...kana(text).map(open));
  if (isOf(/^[\d\u0660-\u0669\u06f0-\u06f9.,:/-]+$/, text)) found.push(...digits(text).map(open));
  if (isOf(/^\p{Script=Arabic}{2,}$/u, text)) found.push(...arabic(text).map(open));
  if (isOf(/^\p{Script=Hebrew}{2,}$/u, text)) found.push(...hebrew(text).map(open));
  if (isOf(/^\p{Script=Hangul}{3,}$/u, text)) found.push(open(text.replace(PARTICLE, '')));
  const known = new Map<string, Spelling>();
  for (const one of found) {
    const before = known.get(one.text);
    if (before === undefined || (before.isWhole && !one.isWhole)) known.set(one.text, one);
  }
  return [...known.values()].slice(0, SPELLINGS_MAX);
}

/**
 * A word at the end of longer ones, as in compounds: minimum length before it, and maximum length
 * after it.
 */
export type Tail = { readonly text: string; readonly headMin: number; readonly restMax: number };

const LONG_LETTERS = 5;
const OPEN_LETTERS = 6;
const SHORT = { letters: 4, headMin: 4, restMax: 0 } as const;
const HANGUL = { letters: 2, headMin: 1, restMax: 3 } as const;

/**
 * Returns the tails that a word may be: of German, Dutch, Scandinavian and Korean compounds, with
 * an ending or a particle. Short words are excluded because too many others end with them by
 * chance.
 */
export function tailsOf(spellings: readonly Spelling[]): Tail[] {
  return spellings.flatMap(({ text }): Tail[] => {
    if (isOf(/^[가-힣]+$/, text))
      return text.length < HANGUL.letters ? [] : [{ text, headMin: HANGUL.headMin, restMax: HANGUL.restMax }];
    if (!isOf(/^[a-z]+$/, text) || text.length < SHORT.letters) return [];
    if (text.length < LONG_LETTERS) return [{ text, headMin: SHORT.headMin, restMax: SHORT.restMax }];
    return [{ text, headMin: 3, restMax: text.length >= OPEN_LETTERS ? 6 : 3 }];
  });
}

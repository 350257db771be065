// Detects the charset of bytes that are not UTF-8. Decodes a sample in each charset used in mail
// and scores the result as text: letters that keep to one alphabet, capitals where they belong,
// punctuation at word ends, the characters that a language uses most. For languages in Latin
// letters, the statistics of chardet also count. Used only when no label fits the bytes. The cost
// is bounded by a short sample, whatever the input.

import { analyse } from 'chardet';
import { createDecoder, type Decoder } from './platform.ts';
import { UPPER_HALVES } from './tables.ts';

const SAMPLE_BYTES = 600;

type Alphabet = {
  /** Its letters beyond ASCII. */
  letters: RegExp;
  /** Frequency of each of them in its languages, by lowercase letter. */
  weights: ReadonlyMap<string, number>;
  vowels: string;
  /** Whether its words may contain ASCII letters. */
  isLatin: boolean;
};

/** Weights from 1.3 for the most frequent letter down to 0.7 for the rarest. */
const byRank = (letters: string): Map<string, number> =>
  new Map(Array.from(letters, (letter, rank) => [letter, 1.3 - (0.6 * rank) / letters.length]));

const latin = (usual: string, lessUsual = ''): Alphabet => ({
  letters: /[\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]/,
  weights: new Map([
    ...Array.from(usual, (letter): [string, number] => [letter, 1.2]),
    ...Array.from(lessUsual, (letter): [string, number] => [letter, 1]),
  ]),
  vowels: '',
  isLatin: true,
});
const other = (letters: RegExp, usual: string, vowels: string): Alphabet => ({
  letters,
  weights: byRank(usual),
  vowels,
  isLatin: false,
});
const CYRILLIC = other(/[\u0400-\u052f]/, 'оеаинтсрвлкмдпуяыьгзбчійхжшюцщэєїёфъґјў', 'оеаиуяыіюэєїёјйўьъ');
const GREEK = other(/[\u0386-\u03ff]/, 'αοιετσνηυρπκλμςάίέόήωγδχθφβώύξζψϊ', 'αοιεηυωάίέόήώύϊϋ');
const HEBREW = other(/[\u05b0-\u05f2]/, 'יוהלאתמרםנבשעכדקחפטןגצסזךץף', '');
const ARABIC = other(/[\u0610-\u06d3\u0640]/, 'اليمنترودبهعسكفةحقشجطصخضثغأإىءذئزظآؤپچژگ', '');
const THAI = other(/[\u0e01-\u0e5b]/, 'านรอกเงมยลวดทสตะปบคห่้ัิีื็ุไแจพชขใูโผซฟธศณญถฉ', '');
const WESTERN = latin('äöüßéèàçêáíóúñôâîïåæøãœ', 'ûëìòùðþ');
const CENTRAL = latin('ąćęłńóśźżáéíýěščřžůúťďňőűöüăâîșțşţäôđ', 'ľĺŕ');
const TURKISH = latin('ğışçöüi̇â');
const BALTIC = latin('āēīūčšžņļģķąęėįųäöü');
const VIETNAMESE = latin('đơưăâêôáàảãạéèíìóòúùý');
/** Weight of a letter that the languages of an alphabet do not use. */
const UNUSUAL = -0.3;
const UNUSUAL_LATIN = 0.4;

type Candidate = {
  charset: string;
  alphabet: Alphabet;
  /** Penalty for being rarer in mail than its rivals. */
  handicap: number;
};

const CANDIDATES: readonly Candidate[] = [
  { charset: 'windows-1252', alphabet: WESTERN, handicap: -0.15 },
  { charset: 'windows-1250', alphabet: CENTRAL, handicap: 0 },
  { charset: 'iso-8859-2', alphabet: CENTRAL, handicap: 0 },
  { charset: 'windows-1251', alphabet: CYRILLIC, handicap: -0.05 },
  { charset: 'koi8-r', alphabet: CYRILLIC, handicap: 0 },
  { charset: 'koi8-u', alphabet: CYRILLIC, handicap: 0.02 },
  { charset: 'iso-8859-5', alphabet: CYRILLIC, handicap: 0.2 },
  { charset: 'ibm866', alphabet: CYRILLIC, handicap: 0.2 },
  { charset: 'x-mac-cyrillic', alphabet: CYRILLIC, handicap: 0.12 },
  { charset: 'windows-1253', alphabet: GREEK, handicap: 0 },
  { charset: 'iso-8859-7', alphabet: GREEK, handicap: 0.02 },
  { charset: 'windows-1254', alphabet: TURKISH, handicap: 0 },
  { charset: 'windows-1255', alphabet: HEBREW, handicap: -0.1 },
  { charset: 'windows-1256', alphabet: ARABIC, handicap: 0 },
  { charset: 'iso-8859-6', alphabet: ARABIC, handicap: 0.05 },
  { charset: 'windows-1257', alphabet: BALTIC, handicap: 0.05 },
  { charset: 'windows-1258', alphabet: VIETNAMESE, handicap: 0.3 },
  { charset: 'windows-874', alphabet: THAI, handicap: 0 },
  { charset: 'ibm850', alphabet: WESTERN, handicap: 0.3 },
  { charset: 'macintosh', alphabet: WESTERN, handicap: 0.3 },
  { charset: 'ibm852', alphabet: CENTRAL, handicap: 0.5 },
];

/**
 * Names used by chardet; each of its recognizers covers several languages in one charset or its
 * Windows counterpart.
 */
const CHARDET: Readonly<Record<string, readonly string[]>> = {
  'ISO-8859-1': ['windows-1252'],
  'windows-1252': ['windows-1252'],
  'ISO-8859-2': ['iso-8859-2', 'windows-1250'],
  'windows-1250': ['iso-8859-2', 'windows-1250'],
  'ISO-8859-9': ['windows-1254'],
  'windows-1254': ['windows-1254'],
  'windows-1257': ['windows-1257'],
};
/** Weight of a full chardet match. */
const CHARDET_WEIGHT = 0.6;
/** Minimum number of bytes above 0x7f for chardet to count. */
const CHARDET_BYTES = 6;

type Nature = {
  isLetter: boolean;
  isUpper: boolean;
  isLower: boolean;
};

const natures = new Map<string, Nature>();
const NATURES_MAX = 2_000;

function natureOf(char: string): Nature {
  let found = natures.get(char);
  if (!found) {
    found = {
      isLetter: /\p{L}|\p{M}/u.test(char),
      isUpper: char !== char.toLowerCase(),
      isLower: char !== char.toUpperCase(),
    };
    if (natures.size < NATURES_MAX) natures.set(char, found);
  }
  return found;
}

const CONTROL = /[\u0080-\u009f\ufffd\ue000-\uf8ff]/;
const UNITS = '£¥¢€°§©®™№±×µ²³¹¼½¾\u00a0';
const THAI_MARK = /[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/;
const THAI_LEAD = /[\u0e40-\u0e44]/;

/** Scores how well a symbol fits between the characters before and after it. */
function judgeSign(sign: string, before: string, after: string): number {
  const isAfterWord = natureOf(before).isLetter;
  const isBeforeWord = natureOf(after).isLetter;
  if (sign === '\u2019' && isAfterWord) return 0.9;
  if ('\u201c\u201e\u201a\u2018«‹'.includes(sign)) return isAfterWord ? -1 : 0.9;
  if ('\u201d\u2019»›…'.includes(sign)) return isBeforeWord ? -1 : 0.9;
  if ('¡¿'.includes(sign)) return !isAfterWord && isBeforeWord ? 0.9 : -1.5;
  if ('\u2013\u2014•·'.includes(sign)) return isAfterWord && isBeforeWord ? -0.2 : 0.9;
  if (UNITS.includes(sign)) return isAfterWord && isBeforeWord ? -1.5 : 0.5;
  return isAfterWord || isBeforeWord ? -1.5 : -1;
}

/** Returns the penalty for a Hebrew or Thai letter in a position where its form never occurs. */
function judgePlace(char: string, before: string, after: string): number {
  if ('ךםןףץ'.includes(char)) return natureOf(after).isLetter || !natureOf(before).isLetter ? -1.5 : 0.2;
  if (THAI_MARK.test(char) && !/[\u0e01-\u0e2e\u0e31-\u0e3a\u0e47-\u0e4d]/.test(before)) return -2;
  return THAI_LEAD.test(char) && !/[\u0e01-\u0e2e]/.test(after) ? -2 : 0;
}

function judgeLetter(char: string, before: string, after: string, alphabet: Alphabet): number {
  const usual = alphabet.weights.get(char) ?? alphabet.weights.get(char.toLowerCase());
  let score = usual ?? (alphabet.isLatin ? UNUSUAL_LATIN : UNUSUAL);
  const isCapital = natureOf(char).isUpper;
  if (isCapital && natureOf(before).isLetter && natureOf(before).isLower) score -= 1.7;
  const touches = (pattern: RegExp) => pattern.test(before) || pattern.test(after);
  if (touches(/\d/)) score -= 0.7;
  if (!alphabet.isLatin) return score - (touches(/[A-Za-z]/) ? 1.5 : 0) + judgePlace(char, before, after);
  const isBeyond = (side: string) => side > '\u007f' && natureOf(side).isLetter;
  // Letters beyond ASCII are few in a word of a Latin-script language.
  if (isBeyond(before) && isBeyond(after)) score -= 1.6;
  else if (touches(/[a-z]/i)) score += 0.1;
  return score;
}

/** Returns the penalty for consonant runs that no word has, and for all-capital words. */
function judgeWords(text: string, { vowels }: Alphabet): number {
  if (vowels === '') return 0;
  let lost = 0;
  const small = text.toLowerCase();
  for (const [word] of small.matchAll(/[\u0080-\uffff]+/g)) {
    let consonants = 0;
    let most = 0;
    for (const char of word) {
      consonants = natureOf(char).isLetter && !vowels.includes(char) ? consonants + 1 : 0;
      most = Math.max(most, consonants);
      if (consonants > 3) lost += 1.5;
    }
    if (most === word.length && most > 2) lost += 0.3 * most;
    if (text.toUpperCase() === text && word.length > 2) lost += 0.05 * word.length;
  }
  return lost;
}

function judgeSingleByte(text: string, { alphabet, handicap }: Candidate, plainLetters: number): number {
  let sum = -judgeWords(text, alphabet);
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char < '\u0080') continue;
    count++;
    const before = text.charAt(index - 1);
    const after = text.charAt(index + 1);
    if (CONTROL.test(char)) sum -= 4;
    else if (alphabet.letters.test(char)) sum += judgeLetter(char, before, after, alphabet);
    else sum += judgeSign(char, before, after);
  }
  if (count === 0) return Number.NEGATIVE_INFINITY;
  const isForeign = !alphabet.isLatin && (plainLetters > 3 * count || count === 1);
  return sum / count - handicap - (isForeign ? 0.6 : 0);
}

/** Typical byte pairs of a double-byte charset, and what text in it looks like. */
type PairSet = {
  charset: string;
  /**
   * Frequency of a character by its two bytes: 1 for the first level of the charset, 0 for rarely
   * used characters.
   */
  level: (high: number, low: number) => number;
  frequent: RegExp;
  /** Whether one byte above 0x7f is a character by itself. */
  isAlone?: (byte: number) => boolean;
};

const between = (value: number, from: number, to: number): boolean => value >= from && value <= to;
const HANS =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运您请谢函附件码号码京';
const HANT =
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運您請謝函附碼號灣台灣';
const HANGUL =
  '이다는에의을고하니습로가기지한사스리도자인어시대정해그나서를으전부일아안녕세요수있것들만보라장제여공원성비은과주문상용신구조경동영제입합회연감오무';
const MARKS = '，。、！？：；（）「」『』《》“”・ー　';
const oneOf = (characters: string): RegExp => new RegExp(`[${characters}]`, 'u');

const PAIR_SETS: readonly PairSet[] = [
  {
    charset: 'gb18030',
    level: (high, low) =>
      low < 0xa1
        ? 0
        : between(high, 0xb0, 0xd7) || between(high, 0xa1, 0xa3)
          ? 1
          : between(high, 0xd8, 0xf7)
            ? 0.3
            : 0,
    frequent: oneOf(HANS + MARKS),
  },
  {
    charset: 'big5',
    level: high =>
      between(high, 0xa4, 0xc6) || between(high, 0xa1, 0xa3) ? 1 : between(high, 0xc9, 0xf9) ? 0.2 : 0,
    frequent: oneOf(HANT + MARKS),
  },
  {
    charset: 'euc-kr',
    level: (high, low) =>
      low >= 0xa1 && (between(high, 0xb0, 0xc8) || between(high, 0xa1, 0xa3))
        ? 1
        : between(high, 0x81, 0xc6)
          ? 0.3
          : 0,
    frequent: oneOf(HANGUL),
  },
  {
    charset: 'shift_jis',
    level: (high, low) =>
      (high === 0x82 && low >= 0x4f) ||
      (high === 0x83 && low <= 0x96) ||
      between(high, 0x88, 0x97) ||
      high === 0x81
        ? 1
        : between(high, 0x98, 0x9f) || between(high, 0xe0, 0xea)
          ? 0.3
          : 0,
    frequent: oneOf(`\u3041-\u3093\u30a1-\u30f6${MARKS}${HANT}会社様田議資料`),
    isAlone: byte => between(byte, 0xa1, 0xdf),
  },
  {
    charset: 'euc-jp',
    level: (high, low) =>
      low < 0xa1
        ? 0
        : high === 0xa4 || high === 0xa5 || between(high, 0xa1, 0xa3) || between(high, 0xb0, 0xcf)
          ? 1
          : 0.2,
    frequent: oneOf(`\u3041-\u3093\u30a1-\u30f6${MARKS}${HANT}会社様田議資料`),
  },
];

const decoders = new Map<string, Decoder>();

/** Decodes a sample and leaves out what its cut end spoils. */
function readSample(sample: Uint8Array, charset: string): string {
  const upper = UPPER_HALVES[charset];
  if (upper !== undefined)
    return Array.from(sample, byte =>
      byte < 0x80 ? String.fromCharCode(byte) : upper.charAt(byte - 0x80),
    ).join('');
  let decoder = decoders.get(charset);
  if (!decoder) {
    decoder = createDecoder(charset);
    decoders.set(charset, decoder);
  }
  return decoder.decode(sample).replace(/\ufffd[^\ufffd]?$/, '');
}

function judgePairs(sample: Uint8Array, set: PairSet): number {
  const text = readSample(sample, set.charset);
  if (text.includes('\ufffd')) return Number.NEGATIVE_INFINITY;
  let pairs = 0;
  let level = 0;
  let alone = 0;
  for (let index = 0; index < sample.length; index++) {
    const high = sample[index] ?? 0;
    if (high < 0x80) continue;
    if (set.isAlone?.(high)) {
      alone++;
      continue;
    }
    pairs++;
    index++;
    level += set.level(high, sample[index] ?? 0);
  }
  let frequent = 0;
  let beyond = 0;
  for (const char of text) {
    if (char < '\u0080') continue;
    beyond++;
    if (set.frequent.test(char)) frequent++;
    // A double-byte charset that decodes to single Latin letters and symbols among ASCII is not the
    // right one.
    else if (char < '\u2000') level -= 0.5;
  }
  if (beyond === 0) return Number.NEGATIVE_INFINITY;
  const isKorean = set.charset === 'euc-kr' && /^[^\u3400-\u9fff]*$/.test(text);
  const japanese = /jis|jp/.test(set.charset) && !/[\u3041-\u30f6]/.test(text) ? 0.3 : 0;
  return (0.75 * level) / (pairs + alone) + frequent / beyond + (isKorean ? 0.1 : 0) - japanese;
}

/** Returns the lines that contain bytes above 0x7f, up to the sample size. */
function takeSample(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE_BYTES) return bytes;
  const sample = new Uint8Array(SAMPLE_BYTES);
  let filled = 0;
  for (let at = 0; at < bytes.length && filled < SAMPLE_BYTES; ) {
    while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at++;
    // Starts at the blank before the word, so that no pair is split.
    let from = at;
    while (from > 0 && at - from < 40 && (bytes[from - 1] ?? 0) > 0x20 && (bytes[from - 1] ?? 0) < 0x80)
      from--;
    let to = at;
    while (to < bytes.length && (bytes[to] ?? 0) !== 0x0a && to - from < SAMPLE_BYTES - filled) to++;
    const piece = bytes.subarray(from, Math.min(to, from + SAMPLE_BYTES - filled));
    sample.set(piece, filled);
    filled += piece.length;
    at = to + 1;
    if (filled < SAMPLE_BYTES) sample[filled++] = 0x0a;
  }
  return sample.subarray(0, filled);
}

function countPlainLetters(sample: Uint8Array): number {
  let count = 0;
  for (const byte of sample) if (between(byte | 0x20, 0x61, 0x7a)) count++;
  return count;
}

const LATIN_SETS = new Set(
  CANDIDATES.filter(({ alphabet }) => alphabet.isLatin).map(({ charset }) => charset),
);

/**
 * Returns the candidate charsets, likeliest first; the bytes of one need not be valid text in
 * another.
 */
export function rankCharsets(bytes: Uint8Array): string[] {
  const sample = takeSample(bytes);
  const plainLetters = countPlainLetters(sample);
  const scores = new Map<string, number>();
  for (const candidate of CANDIDATES)
    scores.set(
      candidate.charset,
      judgeSingleByte(readSample(sample, candidate.charset), candidate, plainLetters),
    );
  for (const set of PAIR_SETS) scores.set(set.charset, judgePairs(sample, set));
  const rank = () => [...scores].sort(([, one], [, other]) => other - one).map(([charset]) => charset);
  const [best = '', second = ''] = rank();
  // Only languages in Latin letters are similar enough to need their words to distinguish them.
  if (!LATIN_SETS.has(best) || (scores.get(best) ?? 0) - (scores.get(second) ?? 0) > CHARDET_WEIGHT)
    return rank();
  // One or two words are too few to recognize a language.
  const beyond = sample.reduce((count, byte) => count + (byte >> 7), 0);
  const weight = CHARDET_WEIGHT * Math.min(1, beyond / CHARDET_BYTES);
  for (const { name, confidence } of analyse(sample))
    for (const charset of CHARDET[name] ?? [])
      scores.set(charset, (scores.get(charset) ?? 0) + (weight * confidence) / 100);
  return rank();
}

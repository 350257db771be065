// Finds the words of a query in displayed text: ranges of UTF-16 units, for highlights in lists and
// messages. Follows terms.ts on the original text, word by word, so that a highlight covers the
// letters that users see.
import { fold } from './fold.ts';
import { findNumber, numberPattern } from './numbers.ts';
import type { Condition, FieldName, Formula, Query } from './query.ts';
import { spellingsOf, type Tail, tailsOf } from './spellings.ts';

/**
 * A word to highlight: folded, as a whole word or a prefix, and as the end of a compound; or a
 * number with digit grouping.
 */
export type Mark = {
  readonly text: string;
  readonly isExact: boolean;
  readonly tail?: Tail;
  readonly number?: RegExp;
};

export type Range = { readonly start: number; readonly end: number };

const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u30fc]/u;
const SPANS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u30fc]+|[\p{L}\p{N}\p{M}\u00ad\u200b-\u200f]+|\p{Extended_Pictographic}/gu;
/** Maximum number of characters examined in a text, and of highlights made. */
const TEXT_MAX_CHARACTERS = 200_000;
const MARKS_MAX = 2_000;
/** Number of units examined in a word; the index covers fewer. */
const WORD_MAX_UNITS = 1_000;

function* positive(formula: Formula): Generator<number> {
  if (formula.kind === 'condition') yield formula.index;
  else if (formula.kind !== 'not') for (const part of formula.parts) yield* positive(part);
}

/** Returns the highlights for a word of a query, the word itself first. */
function marksOfWord(span: string, isExact: boolean): Mark[] {
  if (isExact) return [{ text: fold(span), isExact }].filter(({ text }) => text !== '');
  const spellings = spellingsOf(span).filter(({ text }) => text !== '');
  const tails = new Map(tailsOf(spellings).map(tail => [tail.text, tail]));
  return spellings.map(({ text, isWhole }) => {
    const tail = tails.get(text);
    return { text, isExact: isWhole, ...(tail === undefined ? {} : { tail }) };
  });
}

/** Returns the words of a query that can be highlighted in one of these fields. */
export function marksOf({ formula, conditions }: Query, fields: readonly FieldName[]): Mark[] {
  if (formula === null) return [];
  const marks = new Map<string, Mark>();
  for (const index of positive(formula)) {
    const condition = conditions[index] as Condition;
    if (condition.kind !== 'words') continue;
    if (condition.field !== null && !fields.includes(condition.field)) continue;
    for (const [span] of condition.text.matchAll(SPANS))
      for (const mark of marksOfWord(span, condition.isExact))
        marks.set(`${mark.text} ${mark.isExact}`, mark);
    const number = condition.isExact ? null : findNumber(condition.text);
    if (number !== null)
      marks.set(`number ${number}`, { text: number, isExact: false, number: numberPattern(number) });
  }
  return [...marks.values()];
}

/** Returns the ranges of a text to highlight, in order and without overlap. */
export function findMarks(text: string, marks: readonly Mark[]): Range[] {
  if (marks.length === 0) return [];
  const ranges: Range[] = [];
  const looked = text.slice(0, TEXT_MAX_CHARACTERS);
  const words = marks.filter(({ number }) => number === undefined);
  const numbers = marks.flatMap(({ number }) =>
    number === undefined
      ? []
      : Array.from(looked.matchAll(number), ({ 0: found, index }) => ({
          start: index,
          end: index + found.length,
        })),
  );
  for (const match of looked.matchAll(SPANS)) {
    if (ranges.length >= MARKS_MAX) break;
    const [span] = match;
    const start = match.index;
    if (DENSE.test(span)) ranges.push(...marksInRun(span, start, words));
    else {
      const found = markInWord(span, words);
      if (found !== null) ranges.push({ start: start + found.start, end: start + found.end });
    }
  }
  return numbers.length === 0 ? ranges : apart([...ranges, ...numbers]);
}

/** Sorts ranges and merges those that overlap or touch. */
function apart(ranges: readonly Range[]): Range[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/**
 * Returns the part of a word that the first matching mark covers as its prefix, or else as its
 * compound ending.
 */
function markInWord(span: string, marks: readonly Mark[]): Range | null {
  const word = fold(span.slice(0, WORD_MAX_UNITS));
  const mark = marks.find(one => (one.isExact ? word === one.text : word.startsWith(one.text)));
  if (mark !== undefined) return { start: 0, end: lengthOf(span, mark.text) };
  for (const { tail } of marks) {
    if (tail === undefined) continue;
    const last = word.length - tail.text.length;
    const at = word.indexOf(tail.text, Math.max(tail.headMin, last - tail.restMax));
    if (at >= 0)
      return { start: lengthOf(span, word.slice(0, at)), end: lengthOf(span, word.slice(0, at) + tail.text) };
  }
  return null;
}

/** A letter with the following characters that belong to it. */
const LETTERS = /[\u1100-\u115f][\u1160-\u11ff]+|[^\p{M}\u00ad\u200b-\u200f][\p{M}\u00ad\u200b-\u200f]*|./gsu;

/** Returns how many units of a word its folded prefix covers. */
function lengthOf(span: string, folded: string): number {
  let [length, covered] = [0, 0];
  for (const [letter] of span.matchAll(LETTERS)) {
    const size = fold(letter).length;
    if (covered >= folded.length && size > 0) break;
    covered += size;
    length += letter.length;
  }
  return length;
}

function marksInRun(run: string, offset: number, marks: readonly Mark[]): Range[] {
  const characters = [...run];
  const folded = characters.map(fold);
  const starts: number[] = [];
  let unit = 0;
  for (const character of characters) {
    starts.push(unit);
    unit += character.length;
  }
  const covered = new Uint8Array(characters.length);
  const text = folded.join('');
  const isPlain = folded.every((one, at) => one.length === (characters[at] as string).length);
  for (const mark of marks) {
    if (!isPlain || mark.text === '') continue;
    let place = 0;
    for (let at = text.indexOf(mark.text); at >= 0; at = text.indexOf(mark.text, at + mark.text.length)) {
      while (place < starts.length && (starts[place] as number) < at) place++;
      for (; place < starts.length && (starts[place] as number) < at + mark.text.length; place++)
        covered[place] = 1;
    }
  }
  const ranges: Range[] = [];
  for (let place = 0; place < covered.length; place++) {
    if (covered[place] === 0) continue;
    const from = place;
    while (place + 1 < covered.length && covered[place + 1] === 1) place++;
    ranges.push({
      start: offset + (starts[from] as number),
      end: offset + (starts[place] as number) + (characters[place] as string).length,
    });
  }
  return ranges;
}

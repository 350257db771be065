// Splits folded text into terms. Words are runs of letters and digits. Scripts written without
// spaces (Chinese, Japanese, Thai and similar) give each pair of adjacent characters, plus the last
// character of a run, so that one character finds everything that begins with it. Words joined by
// single signs (addresses, hosts, e-mail, 1.234,50) give their parts and each suffix that starts at
// a part, so any run of adjacent parts is a prefix of a term.
import { FIELD_MAX_TERMS, JOINED_MAX_CHARACTERS, JOINED_MAX_PARTS, WORD_MAX_CHARACTERS } from './limits.ts';

const NONE = 0;
const WORD = 1;
const DENSE = 2;
/** A character that is a term by itself, such as an emoji. */
const SIGN = 3;

const DENSE_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u30fc]/u;
const LETTER = /[\p{L}\p{N}\p{M}]/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;

function classOf(character: string): number {
  if (DENSE_SCRIPT.test(character)) return DENSE;
  if (LETTER.test(character)) return WORD;
  return PICTOGRAPH.test(character) ? SIGN : NONE;
}

const UNKNOWN = 255;
/** Classes of the characters below U+10000, filled in on first use. */
const classes = new Uint8Array(0x1_0000).fill(UNKNOWN);
/** Lone surrogates are ignored. */
classes.fill(NONE, 0xd800, 0xe000);

function kindOf(code: number): number {
  const known = classes[code] as number;
  if (known !== UNKNOWN) return known;
  const found = classOf(String.fromCharCode(code));
  classes[code] = found;
  return found;
}

const isLead = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isTrail = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Signs that join two words when single: @ . - _ ' + and comma. */
export const isJoint = (code: number): boolean =>
  code === 0x40 ||
  code === 0x2e ||
  code === 0x2d ||
  code === 0x5f ||
  code === 0x27 ||
  code === 0x2b ||
  code === 0x2c;

/**
 * Calls `take` with the position of every term of a folded text and returns how many there were. A
 * term may occur several times. Linear in the text: a joined word has at most {@link
 * JOINED_MAX_PARTS} suffixes.
 */
export function eachTerm(text: string, take: (text: string, start: number, end: number) => void): number {
  const length = text.length;
  let count = 0;
  let position = 0;
  /** Starts of the parts of the current joined word. */
  const starts: number[] = [];
  const endJoined = (end: number): void => {
    if (starts.length > 1 && starts.length <= JOINED_MAX_PARTS) {
      // The last part alone is a word and was already taken.
      for (let index = 0; index < starts.length - 1; index++) {
        const start = starts[index] as number;
        if (end - start > JOINED_MAX_CHARACTERS) continue;
        take(text, start, end);
        count++;
      }
    }
    starts.length = 0;
  };
  let lastEnd = 0;
  while (position < length && count < FIELD_MAX_TERMS) {
    const code = text.charCodeAt(position);
    let kind = kindOf(code);
    let step = 1;
    if (isLead(code) && position + 1 < length && isTrail(text.charCodeAt(position + 1))) {
      step = 2;
      kind = classOf(text.slice(position, position + 2));
    }
    if (kind === WORD) {
      const start = position;
      position += step;
      while (position < length) {
        const next = text.charCodeAt(position);
        if (isLead(next) && position + 1 < length && isTrail(text.charCodeAt(position + 1))) {
          if (classOf(text.slice(position, position + 2)) !== WORD) break;
          position += 2;
        } else if (kindOf(next) === WORD) position++;
        else break;
      }
      if (starts.length > 0 && !(start === lastEnd + 1 && isJoint(text.charCodeAt(lastEnd))))
        endJoined(lastEnd);
      starts.push(start);
      lastEnd = position;
      take(text, start, cutAt(text, start, position));
      count++;
      continue;
    }
    if (kind === DENSE) {
      endJoined(lastEnd);
      // A single pass that keeps the previous character.
      let before = position;
      let beforeEnd = position + step;
      position = beforeEnd;
      for (;;) {
        const next = position < length ? text.charCodeAt(position) : 0x20;
        const isPair = isLead(next) && position + 1 < length && isTrail(text.charCodeAt(position + 1));
        const size = isPair ? 2 : 1;
        const goesOn = isPair
          ? classOf(text.slice(position, position + 2)) === DENSE
          : position < length && kindOf(next) === DENSE;
        if (!goesOn) break;
        take(text, before, position + size);
        count++;
        before = position;
        beforeEnd = position + size;
        position = beforeEnd;
        if (count >= FIELD_MAX_TERMS) break;
      }
      take(text, before, beforeEnd);
      count++;
      continue;
    }
    if (kind === SIGN) {
      endJoined(lastEnd);
      take(text, position, position + step);
      count++;
    }
    position += step;
  }
  endJoined(lastEnd);
  return count;
}

/** Returns the end of a word truncated to the maximum length, never splitting a surrogate pair. */
function cutAt(text: string, start: number, end: number): number {
  if (end - start <= WORD_MAX_CHARACTERS) return end;
  const cut = start + WORD_MAX_CHARACTERS;
  return isTrail(text.charCodeAt(cut)) ? cut - 1 : cut;
}

/** One term that a query requires. */
export type WantedTerm = {
  readonly term: string;
  /**
   * begins: any term with this prefix. part: the term itself, or a joined term that has it as its
   * first parts.
   */
  readonly how: 'begins' | 'part';
};

/**
 * Returns the terms that a message must have, in one field, to match a folded query text. `isOpen`
 * means that its last word may continue.
 */
export function wantedTerms(text: string, isOpen: boolean): WantedTerm[] {
  const spans: { readonly text: string; readonly isDense: boolean }[] = [];
  const pattern =
    /[\p{L}\p{N}\p{M}\u30fc]+(?:[@.\-_'+][\p{L}\p{N}\p{M}\u30fc]+)*|\p{Extended_Pictographic}/gu;
  for (const [found] of text.matchAll(pattern)) spans.push(...splitDense(found));
  const wanted: WantedTerm[] = [];
  for (const [index, span] of spans.entries()) {
    const isLast = isOpen && index === spans.length - 1;
    if (span.isDense) wanted.push(...densePairs(span.text));
    else wanted.push(...wordTerms(span.text, isLast));
  }
  return wanted;
}

function splitDense(text: string): { text: string; isDense: boolean }[] {
  const parts: { text: string; isDense: boolean }[] = [];
  for (const character of text) {
    const isDense = classOf(character) === DENSE;
    const last = parts.at(-1);
    if (last !== undefined && last.isDense === isDense) last.text += character;
    else parts.push({ text: character, isDense });
  }
  return parts
    .map(part => (part.isDense ? part : { ...part, text: trimJoints(part.text) }))
    .filter(part => part.text !== '');
}

function trimJoints(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isJoint(text.charCodeAt(start))) start++;
  while (end > start && isJoint(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function densePairs(text: string): WantedTerm[] {
  const characters = [...text];
  if (characters.length === 1) return [{ term: text, how: 'begins' }];
  return characters.slice(1).map((next, index) => ({ term: `${characters[index]}${next}`, how: 'part' }));
}

/** A joined word is looked up whole if it was indexed whole, otherwise by its parts. */
function wordTerms(text: string, isOpen: boolean): WantedTerm[] {
  const parts = text.split(/[@.\-_'+]/u);
  const how = isOpen ? 'begins' : 'part';
  const cut = (word: string): string => word.slice(0, cutAt(word, 0, word.length));
  if (parts.length === 1) return [{ term: cut(text), how }];
  if (parts.length <= JOINED_MAX_PARTS && text.length <= JOINED_MAX_CHARACTERS / 2)
    return [{ term: text, how }];
  return parts.map((part, index) => ({
    term: cut(part),
    how: index === parts.length - 1 ? how : 'part',
  }));
}

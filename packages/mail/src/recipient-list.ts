// Parses recipients as people type and paste them: separated by blanks, tabs, commas, semicolons or
// line breaks, with or without names. No address can become another address's name: unreadable text
// is returned and flagged as not an address.
import { normalizeAddress } from './address-form.ts';
import { isValidAddress } from './addresses.ts';
import { INVISIBLE_ALONE, SHAPING, withoutPiles } from './invisible.ts';
import { decodeWords } from './mime/encoded-words.ts';

/** A listed recipient. */
export type ListedRecipient = {
  name: string;
  /** The address, or the text as typed if it is not an address. */
  address: string;
  isValid: boolean;
};

/** Result of reading a text. */
type RecipientList = {
  recipients: ListedRecipient[];
  /** Whether the text contained invisible characters, which were removed. */
  hadHidden: boolean;
};

type Token = {
  kind: 'word' | 'quoted' | 'angle' | 'comment' | 'soft' | 'hard';
  text: string;
};

const HARD = /[;\n\r\v\f\u0085\u2028\u2029\uff1b\ufe54\u061b]/;
const SOFT = /[,\uff0c\ufe50\u3001\uff64\u060c]/;
const BLANK = /\s/;

/**
 * Returns the same text, character for character, with the punctuation of other keyboards and word
 * processors replaced.
 */
const plainSigns = (text: string): string =>
  text
    .replace(/[\uff20\ufe6b]/g, '@')
    .replace(/\uff1c/g, '<')
    .replace(/\uff1e/g, '>')
    .replace(/[\u201c\u201d\u201e\u201f\uff02]/g, '"');

/** Returns where a quotation that begins at `start` ends; -1 when its line ends first. */
function endOfQuotation(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '\\') index++;
    else if (char === '"') return index;
    else if (char === '\n' || char === '\r') return -1;
  }
  return -1;
}

/**
 * Returns where brackets that begin at `start` end: at their closing sign, at the next brackets, or
 * at the line end.
 */
function endOfBrackets(text: string, start: number, close: string, stop: RegExp): number {
  let quoted = false;
  for (let index = start + 1; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '"') quoted = !quoted;
    if (char === '\n' || char === '\r') return index;
    if (!quoted && (char === close || stop.test(char))) return index;
  }
  return text.length;
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let word = '';
  let unclosedUntil = -1; // No quotation ends before this: determined once per line, so that quotation marks stay cheap
  const endWord = () => {
    if (word !== '') tokens.push({ kind: 'word', text: word });
    word = '';
  };
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '"') {
      const end = index < unclosedUntil ? -1 : endOfQuotation(text, index);
      if (end < 0) {
        const line = text.slice(index).search(/[\r\n]/);
        if (index >= unclosedUntil) unclosedUntil = line < 0 ? text.length : index + line;
      } else if (text.charAt(end + 1) === '@') {
        word += text.slice(index, end + 1);
        index = end;
      } else {
        endWord();
        tokens.push({ kind: 'quoted', text: text.slice(index + 1, end).replace(/\\(.)/gs, '$1') });
        index = end;
      }
    } else if (char === '<' || char === '(') {
      endWord();
      const end =
        char === '<' ? endOfBrackets(text, index, '>', /[<;]/) : endOfBrackets(text, index, ')', /[(<;]/);
      tokens.push({ kind: char === '<' ? 'angle' : 'comment', text: text.slice(index + 1, end).trim() });
      index = /[>)]/.test(text.charAt(end)) ? end : end - 1;
    } else if (char === '>' || char === ')' || BLANK.test(char) || SOFT.test(char) || HARD.test(char)) {
      endWord();
      if (SOFT.test(char)) tokens.push({ kind: 'soft', text: char });
      if (HARD.test(char)) tokens.push({ kind: 'hard', text: char });
    } else word += char;
  }
  endWord();
  return tokens;
}

const looksLikeAddress = (word: string): boolean => /[^@]@[^@]/.test(word);

/** Returns a name as shown; empty when it contains an at sign. */
function nameOf(text: string): string {
  const name = decodeWords(text)
    .replace(INVISIBLE_ALONE, '')
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .replace(/^'(.*)'$/, '$1')
    .trim();
  return withoutPiles(name).normalize('NFKC').includes('@') ? '' : name;
}

/** Returns the address in a word, without characters that are often copied along with it. */
function bareAddress(word: string): string {
  let bare = word.replace(/^mailto:/i, '');
  let end = bare.length;
  while (/[.!?:]/.test(bare.charAt(end - 1))) end -= 1;
  bare = bare.slice(0, end);
  for (const [first, last] of ["''", '[]', '{}', '``', '\u2018\u2019', '\u00ab\u00bb']) {
    if (bare.startsWith(first ?? '') && bare.endsWith(last ?? '')) bare = bare.slice(1, -1);
  }
  return bare.replace(/^mailto:/i, '');
}

class ListReader {
  readonly found: ListedRecipient[] = [];
  hadJoiner = false;
  private readonly seen = new Map<string, ListedRecipient>();
  private readonly refused = new Set<string>();
  /** Words without an address so far, split at commas. */
  private waiting: string[][] = [[]];
  private last: ListedRecipient | null = null;

  private refuse(text: string): void {
    if (text === '' || this.refused.has(text)) return;
    this.refused.add(text);
    this.found.push({ name: '', address: text, isValid: false });
  }

  /** Adds words that belong to no address, each part separately. */
  private leave(parts: readonly string[][]): void {
    for (const part of parts) this.refuse(part.join(' '));
  }

  private accept(written: string, isAngled: boolean): void {
    const parts = this.waiting;
    this.waiting = [[]];
    // "Last, First" belongs to the text after it; a bare address after a comma is another entry.
    const isJoined = isAngled || (parts.at(-1) ?? []).length > 0;
    const named = isJoined ? parts.slice(-2) : [];
    this.leave(parts.slice(0, parts.length - named.length));
    const address = written.replace(SHAPING, '');
    // In a domain of such a script, a joiner may distinguish two names.
    const isClear = address === written || /^[\u0020-\u007e]*$/.test(address);
    this.hadJoiner ||= address !== written;
    const words = named.map(part => part.join(' ')).filter(part => part !== '');
    if (!isClear || !isValidAddress(address)) {
      this.refuse([words.join(', '), isAngled ? `<${address}>` : address].join(' ').trim());
      return;
    }
    const name = nameOf(words.join(', '));
    const key = normalizeAddress(address);
    const known = this.seen.get(key);
    if (known === undefined) {
      this.last = { name, address, isValid: true };
      this.seen.set(key, this.last);
      this.found.push(this.last);
    } else {
      known.name ||= name;
      this.last = known;
    }
  }

  private readAngle(text: string): void {
    const whole = bareAddress(text);
    const pieces = whole.split(/[\s,;]+/).filter(piece => piece !== '');
    if (isValidAddress(whole) || pieces.length < 2 || !pieces.every(looksLikeAddress)) {
      this.accept(whole, true);
      return;
    }
    this.leave(this.waiting);
    this.waiting = [[]];
    for (const piece of pieces) this.accept(bareAddress(piece), true);
  }

  private readWord(word: string): void {
    const at = word.indexOf('@');
    const colon = word.startsWith('"') ? -1 : word.lastIndexOf(':', at < 0 ? word.length : at);
    if (colon >= 0) this.waiting = [[]]; // the name of a group, or of a header line
    const rest = word.slice(colon + 1);
    if (looksLikeAddress(rest)) this.accept(bareAddress(rest), false);
    else if (rest !== '') this.waiting.at(-1)?.push(rest);
  }

  read(token: Token, next: Token | undefined): void {
    if (token.kind === 'word') this.readWord(token.text);
    else if (token.kind === 'angle') this.readAngle(token.text);
    else if (token.kind === 'soft') this.waiting.push([]);
    else if (token.kind === 'hard') this.end();
    else if (token.kind === 'comment') {
      if (token.text.includes('@')) this.refuse(`(${token.text})`);
      else if (this.last !== null) this.last.name ||= nameOf(token.text);
      else if (token.text !== '') this.waiting.at(-1)?.push(token.text);
    } else if (looksLikeAddress(token.text) && next?.kind !== 'angle') {
      for (const inner of readTokens(token.text.replaceAll('"', ' '))) this.read(inner, undefined);
    } else if (token.text.trim() !== '') this.waiting.at(-1)?.push(token.text.trim());
  }

  /** Ends an entry: words that wait for an address get none. */
  end(): void {
    this.leave(this.waiting);
    this.waiting = [[]];
    this.last = null;
  }
}

/** Returns all recipients in a text, without repeats, in order. Never fails. */
export function readRecipientList(text: string): RecipientList {
  const visible = text.replace(INVISIBLE_ALONE, '');
  const reader = new ListReader();
  const tokens = readTokens(plainSigns(visible));
  for (const [index, token] of tokens.entries()) reader.read(token, tokens[index + 1]);
  reader.end();
  return { recipients: reader.found, hadHidden: visible !== text || reader.hadJoiner };
}

/**
 * Returns where the last finished entry ends in a text that is still being typed: at a separator
 * outside quotation marks and brackets. A comma after words without an address finishes nothing,
 * because "Last, First <...>" may follow.
 */
export function endOfFinished(text: string): number {
  let end = 0;
  let quoted = false;
  let angled = false;
  let hasAddress = false;
  const plain = plainSigns(text);
  for (let index = 0; index < plain.length; index++) {
    const char = plain.charAt(index);
    const isLine = char === '\n' || char === '\r';
    if (char === '"') quoted = !quoted;
    if (isLine) quoted = false;
    if (!quoted && char === '<') angled = true;
    if (isLine || (!quoted && char === '>')) angled = false;
    hasAddress ||= char === '@';
    if (quoted || angled) continue;
    if (!HARD.test(char) && !(SOFT.test(char) && hasAddress)) continue;
    end = index + 1;
    hasAddress = false;
  }
  return end;
}

// RFC 2047 encoded words. Decoding joins the bytes of adjacent words before it reads them as text,
// because many senders split a character across two words (docs/reliability.md#hostile-input).
// Encoding writes UTF-8 words of at most 75 characters.

import { byteString, bytesOfLatin1, concatBytes, decodeBase64Leniently, toBase64, utf8 } from '../bytes.ts';
import { decodeText } from './charsets.ts';
import { decodeTransfer } from './transfer.ts';

type Word = {
  charset: string;
  encoding: string;
  text: string;
};

const WORD = /=\?([^?\s]+)\?([QqBb])\?([^?]*)\?=/g;

function wordBytes(word: Word): Uint8Array {
  if (word.encoding === 'b') return decodeBase64Leniently(word.text);
  const text = word.text.replace(/_/g, ' ');
  // Raw 8-bit characters inside a word belong to the word's character set, unless they are outside
  // any such set.
  const isUtf8 = word.charset === 'utf-8' || word.charset === 'utf8' || /[\u0100-\uffff]/.test(text);
  return decodeTransfer(isUtf8 ? utf8(text) : bytesOfLatin1(text), 'quoted-printable');
}

function decodeRun(run: readonly Word[]): string {
  let text = '';
  for (let index = 0; index < run.length; ) {
    const first = run[index] as Word;
    const group: Word[] = [];
    while (run[index]?.charset === first.charset) {
      const word = run[index++] as Word;
      const previous = group.at(-1);
      // A base64 stream that is split inside a group must be joined before decoding.
      const open = previous?.encoding === 'b' && word.encoding === 'b' && previous.text.length % 4 !== 0;
      if (previous && open && !previous.text.endsWith('=')) previous.text += word.text;
      else group.push({ ...word });
    }
    text += decodePieces(group.map(wordBytes), first.charset);
  }
  return text;
}

function decodePieces(pieces: readonly Uint8Array[], charset: string): string {
  // Each UTF-16 word may begin with its own byte order mark.
  return /utf-?16/.test(charset)
    ? pieces.map(piece => decodeText(piece, charset)).join('')
    : decodeText(concatBytes(pieces), charset);
}

const WHOLLY_WORDS = /^\s*=\?[^?\s]+\?[QqBb]\?[^?]*\?=(?:\s*=\?[^?\s]+\?[QqBb]\?[^?]*\?=)*\s*$/;

/**
 * Returns header text with every encoded word decoded, and a second time when a program encoded
 * already encoded text. If the second decoding yields plain ASCII, which no program has a reason to
 * encode, the text is kept literally. Never fails.
 */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return value;
  const text = decodeOnce(value);
  if (text === value || text.length > TWICE_MAX_CHARACTERS || !WHOLLY_WORDS.test(text)) return text;
  const inner = decodeOnce(text);
  return /[\u0080-\uffff]/.test(inner) ? inner : text;
}

const TWICE_MAX_CHARACTERS = 2_000;
/**
 * The standard allows 75 characters in a word, and the longest in real mail have thousands; longer
 * ones stay unchanged.
 */
const WORD_MAX_CHARACTERS = 65_536;
/** Maximum number of word runs whose character set is detected; no real header has more. */
const MAX_RUNS = 200;

function decodeOnce(value: string): string {
  let text = '';
  let position = 0;
  let run: Word[] = [];
  let runs = 0;
  const flush = () => {
    if (run.length) text += runs++ < MAX_RUNS ? decodeRun(run) : byteString(concatBytes(run.map(wordBytes)));
    run = [];
  };
  for (const match of value.matchAll(WORD)) {
    if (match[0].length > WORD_MAX_CHARACTERS) continue;
    const between = value.slice(position, match.index);
    if (between && !(run.length && /^[ \t\r\n]+$/.test(between))) {
      flush();
      text += between;
    }
    run.push({
      charset: (match[1] ?? '').split('*', 1).join().toLowerCase(),
      encoding: (match[2] ?? '').toLowerCase(),
      text: (match[3] ?? '').replace(/[\r\n]+/g, ''),
    });
    position = match.index + match[0].length;
  }
  flush();
  return text + value.slice(position);
}

// Words of at most 60 characters (the standard allows 75), so that the first one fits beside its
// field name. Stated in bytes of base64 (a multiple of 3) and in characters, less "=?UTF-8?B?" and
// "?=".
const B_WORD_MAX_BYTES = 36;
const Q_WORD_MAX_CHARACTERS = 48;
const LONGEST_BARE_TOKEN = 900;

/**
 * Returns text for an unstructured header or a display name: unchanged if plain ASCII, otherwise
 * encoded words separated by blanks, each at most 60 characters long and holding whole characters.
 */
export function encodeWords(text: string): string {
  const plain = /^[\u0020-\u007e]*$/.test(text) && !text.includes('=?') && text.trim() === text;
  if (plain && text.split(' ').every(token => token.length <= LONGEST_BARE_TOKEN)) return text;
  const bytes = utf8(text);
  const asQ = qText(bytes);
  return asQ.length <= Math.ceil(bytes.length / 3) * 4 ? qWords(text) : bWords(text);
}

function qText(bytes: Uint8Array): string {
  return byteString(bytes).length === 0
    ? ''
    : Array.from(bytes, byte => {
        const char = String.fromCharCode(byte);
        if (byte === 0x20) return '_';
        // Uses the strictest set of RFC 2047 §5 (3), so that the same words are valid in a display
        // name.
        return /[A-Za-z0-9!*+\-/]/.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
      }).join('');
}

function qWords(text: string): string {
  const words: string[] = [];
  let current = '';
  for (const char of text) {
    const piece = qText(utf8(char));
    if (current.length + piece.length > Q_WORD_MAX_CHARACTERS) {
      words.push(current);
      current = '';
    }
    current += piece;
  }
  words.push(current);
  return words.map(word => `=?UTF-8?Q?${word}?=`).join(' ');
}

function bWords(text: string): string {
  const words: string[] = [];
  let current = '';
  let size = 0;
  for (const char of text) {
    const charSize = utf8(char).length;
    if (size + charSize > B_WORD_MAX_BYTES) {
      words.push(current);
      current = '';
      size = 0;
    }
    current += char;
    size += charSize;
  }
  words.push(current);
  return words.map(word => `=?UTF-8?B?${toBase64(utf8(word))}?=`).join(' ');
}

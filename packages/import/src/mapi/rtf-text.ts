// Extracts from an RTF body the HTML or text that Outlook wrapped in it ([MS-OXRTFEX]), or else its
// plain text. One pass over the bytes with a stack of groups; formatting is dropped.

import { boundGuesses } from '@keyfold/mail/mime/charsets';
import { ImportError } from '../errors.ts';
import { decodeCodePage } from './code-pages.ts';
import { RTF_DEPTH_MAX } from './limits.ts';

export type RtfContent = {
  kind: 'html' | 'text';
  content: string;
};

type Group = {
  /** Inside a destination that is not text: fonts, colors, pictures. */
  isSkipped: boolean;
  /** Inside `\*\htmltag`: output verbatim. */
  isTag: boolean;
  /** Between `\htmlrtf` and `\htmlrtf0`: duplicates what the tags contain. */
  isDouble: boolean;
  isFontTable: boolean;
  isStarred: boolean;
  font: number;
  /** Number of characters after `\u` that replace it in readers without Unicode support. */
  fallbackLength: number;
};

const SKIPPED = new Set(
  'colortbl stylesheet info pict object header footer headerl headerr headerf footerl footerr footerf footnote fldinst listtable listoverridetable rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl bkmkstart bkmkend mhtmltag'.split(
    ' ',
  ),
);

/** Code pages by RTF font charset number; 2, symbols, has none. */
const CHARSETS: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

const WORDS: Readonly<Record<string, readonly [text: string, html: string]>> = {
  par: ['\r\n', '\r\n'],
  line: ['\r\n', '\r\n'],
  sect: ['\r\n', '\r\n'],
  row: ['\r\n', '\r\n'],
  cell: ['\t', '\t'],
  tab: ['\t', '\t'],
  lquote: ['\u2018', '&lsquo;'],
  rquote: ['\u2019', '&rsquo;'],
  ldblquote: ['\u201c', '&ldquo;'],
  rdblquote: ['\u201d', '&rdquo;'],
  bullet: ['\u2022', '&bull;'],
  endash: ['\u2013', '&ndash;'],
  emdash: ['\u2014', '&mdash;'],
};

/** Maximum number of text pieces joined at a time. */
const PIECES_MAX = 4096;

const isLetter = (byte: number): boolean => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

class RtfReader {
  readonly #bytes: Uint8Array;
  readonly #fonts = new Map<number, number>();
  readonly #stack: Group[] = [];
  readonly #out: string[] = [];
  /**
   * Most recent output, still in pieces: a hostile text consists of millions of single characters.
   */
  #pieces: string[] = [];
  /** Bytes not decoded yet, and their number. */
  #pending = new Uint8Array(1024);
  #pendingLength = 0;
  #pendingCodePage = 0;
  #group: Group = {
    isSkipped: false,
    isTag: false,
    isDouble: false,
    isFontTable: false,
    isStarred: false,
    font: -1,
    fallbackLength: 1,
  };
  #kind: 'html' | 'text' | 'rtf' = 'rtf';
  #codePage = 1252;
  #toSkip = 0;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(): RtfContent {
    const bytes = this.#bytes;
    while (this.#position < bytes.length) {
      const byte = bytes[this.#position++] as number;
      if (byte === 0x7b) this.#open();
      else if (byte === 0x7d) this.#close();
      else if (byte === 0x5c) this.#control();
      else if (byte !== 0x0d && byte !== 0x0a) this.#putByte(byte);
    }
    this.#flush();
    this.#out.push(this.#pieces.join(''));
    return { kind: this.#kind === 'html' ? 'html' : 'text', content: this.#out.join('') };
  }

  #open(): void {
    if (this.#stack.length >= RTF_DEPTH_MAX) throw new ImportError('damaged');
    this.#stack.push(this.#group);
    this.#group = { ...this.#group, isStarred: false };
    this.#toSkip = 0;
  }

  #close(): void {
    this.#group = this.#stack.pop() ?? this.#group;
    this.#toSkip = 0;
  }

  get #isHeard(): boolean {
    const { isSkipped, isTag, isDouble, isFontTable } = this.#group;
    return !isSkipped && !isFontTable && (isTag || !isDouble);
  }

  #put(text: string): void {
    if (!this.#isHeard) return;
    this.#flush();
    this.#write(text);
  }

  #write(text: string): void {
    this.#pieces.push(text);
    if (this.#pieces.length < PIECES_MAX) return;
    this.#out.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  #putByte(byte: number): void {
    if (this.#toSkip > 0) {
      this.#toSkip--;
      return;
    }
    if (!this.#isHeard) return;
    const codePage = this.#group.isTag
      ? this.#codePage
      : (this.#fonts.get(this.#group.font) ?? this.#codePage);
    if (codePage !== this.#pendingCodePage) this.#flush();
    this.#pendingCodePage = codePage;
    if (this.#pendingLength === this.#pending.length) {
      const larger = new Uint8Array(this.#pending.length * 2);
      larger.set(this.#pending);
      this.#pending = larger;
    }
    this.#pending[this.#pendingLength++] = byte;
  }

  #flush(): void {
    if (this.#pendingLength === 0) return;
    this.#write(decodeCodePage(this.#pending.subarray(0, this.#pendingLength), this.#pendingCodePage));
    this.#pendingLength = 0;
  }

  #control(): void {
    const bytes = this.#bytes;
    const byte = bytes[this.#position];
    if (byte === undefined) return;
    if (isLetter(byte)) {
      this.#word();
      return;
    }
    this.#position++;
    const isHtml = this.#kind === 'html';
    if (byte === 0x27) {
      const code = Number.parseInt(
        String.fromCharCode(bytes[this.#position] ?? 0, bytes[this.#position + 1] ?? 0),
        16,
      );
      this.#position += 2;
      if (!Number.isNaN(code)) this.#putByte(code);
    } else if (byte === 0x2a) this.#group.isStarred = true;
    else if (byte === 0x7e) this.#put(isHtml ? '&nbsp;' : '\u00a0');
    else if (byte === 0x5f) this.#put(isHtml ? '&shy;' : '\u2011');
    else if (byte === 0x0d || byte === 0x0a) this.#put('\r\n');
    else if (byte === 0x5c || byte === 0x7b || byte === 0x7d) this.#putByte(byte);
  }

  #word(): void {
    const bytes = this.#bytes;
    const start = this.#position;
    while (isLetter(bytes[this.#position] ?? 0) && this.#position - start < 32) this.#position++;
    const name = String.fromCharCode(...bytes.subarray(start, this.#position));
    const numberStart = this.#position;
    if (bytes[this.#position] === 0x2d) this.#position++;
    while (isDigit(bytes[this.#position] ?? 0) && this.#position - numberStart < 12) this.#position++;
    const digits = String.fromCharCode(...bytes.subarray(numberStart, this.#position));
    if (bytes[this.#position] === 0x20) this.#position++;
    const number = digits === '' || digits === '-' ? null : Number.parseInt(digits, 10);
    this.#obey(name, number);
  }

  #obey(name: string, number: number | null): void {
    const group = this.#group;
    const isStarred = group.isStarred;
    group.isStarred = false;
    if (name === 'htmltag' && isStarred) group.isTag = true;
    else if (SKIPPED.has(name) || (isStarred && name !== 'fonttbl')) group.isSkipped = true;
    else if (name === 'fonttbl') group.isFontTable = true;
    else if (name === 'fromhtml' && number !== 0) this.#kind = 'html';
    else if (name === 'fromtext') this.#kind = 'text';
    else if (name === 'htmlrtf') group.isDouble = number !== 0;
    else if (name === 'ansicpg' && number !== null) this.#codePage = number;
    else if (name === 'f' && number !== null) group.font = number;
    else if (name === 'fcharset' && group.isFontTable) {
      const codePage = CHARSETS[number ?? 0];
      if (codePage !== undefined && this.#fonts.size < 4096) this.#fonts.set(group.font, codePage);
    } else if (name === 'plain' || name === 'deff')
      group.font = name === 'deff' ? (number ?? -1) : group.font;
    else if (name === 'uc' && number !== null) group.fallbackLength = Math.max(0, Math.min(number, 16));
    else if (name === 'u' && number !== null) {
      this.#put(String.fromCharCode(number & 0xffff));
      this.#toSkip = group.fallbackLength;
    } else if (name === 'bin' && number !== null) this.#position += Math.max(0, number);
    else {
      const written = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
      if (written !== undefined) this.#put(written[this.#kind === 'html' ? 1 : 0]);
    }
  }
}

/**
 * Reads uncompressed RTF. Throws `damaged` when its groups are nested deeper than any program nests
 * them.
 */
export const readRtf = (rtf: Uint8Array): RtfContent => boundGuesses(() => new RtfReader(rtf).read());

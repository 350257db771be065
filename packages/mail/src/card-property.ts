// Reads one line of a vCard of any version and converts it to version 4: a name, its parameters and
// its value. Version 2.1 has parameters without names, quoted-printable and charsets per property
// (RFC 6350, RFC 2426, vCard 2.1).
import { decodeText, decodeUnlabeled } from './mime/charsets.ts';

export type CardProperty = {
  /** Prefix that groups lines (`item1.`); empty for none. */
  readonly group: string;
  /** In uppercase. */
  readonly name: string;
  /** Names in uppercase; values as written, including quotes. */
  readonly params: readonly (readonly [key: string, value: string])[];
  /** With version 4 escapes. */
  readonly value: string;
};

export type CardSource = {
  readonly isOld: boolean;
  /** Characters above 127 are bytes in the charset that CHARSET names. */
  readonly isBytes: boolean;
};

const HEAD = /^(?:([A-Za-z0-9_-]+)\.)?([A-Za-z0-9_-]+)((?:;(?:"[^"]*"|[^":;])*)*):/;
const ENCODINGS = /^(?:quoted-printable|base64|b|7bit|8bit)$/i;
const VALUES = /^(?:url|uri|inline|cid|content-id|text|date|binary)$/i;
/** Properties whose value has parts separated by semicolons. */
const STRUCTURED = new Set(['N', 'ADR', 'ORG', 'GENDER', 'CLIENTPIDMAP']);
/** Properties with comma-separated lists, which version 2.1 writes the same way. */
const LISTS = new Set(['CATEGORIES', 'NICKNAME']);
const BINARY = new Set(['PHOTO', 'LOGO', 'SOUND', 'KEY']);

export const isPropertyLine = (line: string): boolean => HEAD.test(line.slice(0, 2_000));

export const isQuotedPrintable = (line: string): boolean =>
  /[;=]quoted-printable(?:;|$)/i.test(HEAD.exec(line.slice(0, 2_000))?.[3] ?? '');

const bytesOf = (binary: string): Uint8Array => Uint8Array.from(binary, sign => sign.charCodeAt(0));

function decodeQuoted(text: string, isBytes: boolean): Uint8Array {
  const binary = isBytes
    ? text
    : text.replace(/[\u0080-\u{10ffff}]+/gu, run =>
        String.fromCharCode(...new TextEncoder().encode(run.slice(0, 10_000))),
      );
  return bytesOf(
    binary.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

/** Version 2.1 has one escape and writes commas and backslashes literally. */
function modernized(name: string, value: string): string {
  const slashes = value.replace(/\\(?![\\;,nN:])/g, '\\\\');
  return LISTS.has(name) ? slashes : slashes.replace(/(?<!\\),/g, '\\,');
}

const MEDIA: readonly (readonly [RegExp, string])[] = [
  [/^\/9j\//, 'image/jpeg'],
  [/^iVBOR/, 'image/png'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR/, 'image/webp'],
];

function mediaOf(name: string, type: string, data: string): string {
  const found = MEDIA.find(([start]) => start.test(data))?.[1];
  if (found !== undefined) return found;
  const plain = type.toLowerCase().replace(/[^a-z0-9.+/-]/g, '');
  if (plain.includes('/')) return plain;
  if (name === 'KEY') return plain === 'x509' ? 'application/pkix-cert' : 'application/pgp-keys';
  if (name === 'SOUND') return `audio/${plain || 'basic'}`;
  return `image/${plain === '' || plain === 'jpg' ? 'jpeg' : plain}`;
}

/** Parses an unfolded line; null when it is not a property. */
export function readProperty(line: string, source: CardSource): CardProperty | null {
  const head = HEAD.exec(line.slice(0, 20_000));
  if (head === null) return null;
  const name = (head[2] ?? '').toUpperCase();
  const params: (readonly [string, string])[] = [];
  let [encoding, charset] = ['', ''];
  for (const [, part = ''] of (head[3] ?? '').matchAll(/;((?:"[^"]*"|[^":;])*)/g)) {
    const at = part.indexOf('=');
    const [key, value] =
      at < 0 ? ['', part.trim()] : [part.slice(0, at).trim().toUpperCase(), part.slice(at + 1).trim()];
    if (value === '') continue;
    if (key === 'CHARSET') charset = value.replaceAll('"', '');
    else if (key === 'ENCODING' || (key === '' && ENCODINGS.test(value))) encoding = value.toLowerCase();
    else if (key === '') params.push([VALUES.test(value) ? 'VALUE' : 'TYPE', value]);
    else params.push([key, value]);
  }
  let value = line.slice(head[0].length);
  const isQuoted = encoding === 'quoted-printable';
  if (isQuoted || (source.isBytes && /[\u0080-\u00ff]/.test(value))) {
    // An encoded semicolon is not a separator.
    const plain = isQuoted && STRUCTURED.has(name) ? value.replace(/=3B/gi, '\\;') : value;
    const bytes = isQuoted ? decodeQuoted(plain, source.isBytes) : bytesOf(plain);
    value = charset === '' ? decodeUnlabeled(bytes) : decodeText(bytes, charset);
  }
  if (source.isOld && (encoding === '' || isQuoted)) value = modernized(name, value);
  value = value.replace(/\r\n|\r|\n/g, '\\n').replace(/[^\P{Cc}\t]/gu, '');
  const property = { group: head[1] ?? '', name, params, value };
  return encoding === 'b' || encoding === 'base64' ? withData(property) : property;
}

/** Converts base64 to the version 4 form: a data URI. */
function withData({ name, params, value, ...rest }: CardProperty): CardProperty {
  const data = value.replace(/\s+/g, '');
  if (!BINARY.has(name)) return { ...rest, name, params: [...params, ['ENCODING', 'b']], value: data };
  const type = params.find(([key]) => key === 'TYPE' || key === 'MEDIATYPE')?.[1] ?? '';
  return {
    ...rest,
    name,
    params: params.filter(([key]) => key !== 'TYPE' && key !== 'MEDIATYPE' && key !== 'VALUE'),
    value: `data:${mediaOf(name, type, data)};base64,${data}`,
  };
}

/** Formats the line of a property, without folding. */
export function formatProperty({ group, name, params, value }: CardProperty): string {
  const written = params.map(([key, text]) =>
    /[;:]/.test(text) && !text.startsWith('"') ? `;${key}="${text.replaceAll('"', "'")}"` : `;${key}=${text}`,
  );
  return `${group === '' ? '' : `${group}.`}${name}${written.join('')}:${value}`;
}

/** Returns the words of TYPE in lowercase. */
export const typesOf = ({ params }: CardProperty): string[] =>
  params
    .filter(([key]) => key === 'TYPE')
    .flatMap(([, value]) => value.replaceAll('"', '').split(','))
    .map(word => word.trim().toLowerCase())
    .filter(word => word !== '');

/**
 * Yields the parts of a value between unescaped separators, without their escapes (RFC 6350 section
 * 3.4).
 */
export function* partsOf(value: string, separator?: string): Generator<string> {
  let part = '';
  for (const [token] of value.matchAll(/\\[\\;,:nN]|[^\\;,]+|[\\;,]/g)) {
    if (token === separator) {
      yield part;
      part = '';
    } else if (/^\\[nN]$/.test(token)) part += '\n';
    else part += token.replace(/^\\(?=.)/, '');
  }
  yield part;
}

/** Escapes the characters that would end or split a text. */
export const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/[^\P{Cc}\t]/gu, '');

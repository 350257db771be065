// Structured header values: `type/subtype; name=value` with comments, quotes and RFC 2231
// continuations. The first of two parameters with the same name wins, as everywhere in this
// package, so that all readers here agree.

import { utf8 } from '../bytes.ts';
import { decodeText } from './charsets.ts';

/** A value such as `text/plain` in lowercase, with its parameters by lowercase name. */
export type StructuredValue = {
  value: string;
  params: Map<string, string>;
};

/**
 * Returns header text without its parenthesized comments; quoted strings and unclosed comments
 * stay.
 */
export function stripComments(text: string): string {
  if (!text.includes('(')) return text;
  let stripped = '';
  let depth = 0;
  let quoted = false;
  let inValue = false; // inside `name=value` a parenthesis continues the value: filename=Invoice(1).pdf
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '\\') {
      if (!depth) stripped += char + text.charAt(index + 1);
      index++;
    } else if (char === '"' && !depth) {
      quoted = !quoted;
      stripped += char;
    } else if (quoted) stripped += char;
    else if (char === '(' && (depth || !inValue || /[ \t]$/.test(stripped.slice(-1)))) depth++;
    else if (char === ')' && depth) depth--;
    else if (!depth) {
      if (char === '=') inValue = true;
      else if (char === ';') inValue = false;
      stripped += char;
    }
  }
  return depth ? text : stripped;
}

function splitParameters(text: string): string[] {
  const pieces: string[] = [];
  let quoted = false;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (quoted && char === '\\') index++;
    else if (char === '"') quoted = !quoted;
    else if (char === ';' && !quoted) {
      pieces.push(text.slice(start, index));
      start = index + 1;
    }
  }
  pieces.push(text.slice(start));
  return pieces;
}

function unquote(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"')) return trimmed;
  let value = '';
  for (let index = 1; index < trimmed.length; index++) {
    const char = trimmed.charAt(index);
    if (char === '\\') value += trimmed.charAt(++index);
    else if (char === '"') break;
    else value += char;
  }
  return value;
}

/** Splits a structured header value. Never fails. Resolves continuations and percent-encoding. */
export function parseStructured(text: string): StructuredValue {
  const [head = '', ...rest] = splitParameters(stripComments(text));
  const params = new Map<string, string>();
  for (const piece of rest) {
    const equals = piece.indexOf('=');
    const name = (equals < 0 ? piece : piece.slice(0, equals)).trim().toLowerCase();
    if (name && !params.has(name)) params.set(name, equals < 0 ? '' : unquote(piece.slice(equals + 1)));
  }
  if (text.includes('*')) resolveContinuations(params);
  return { value: unquote(head).toLowerCase(), params };
}

// RFC 2231: name*0*=utf-8''...; name*1=...; sections sorted by number, encoded ones decoded
// together.
function resolveContinuations(params: Map<string, string>): void {
  const sections = new Map<string, { index: number; text: string; encoded: boolean }[]>();
  for (const [name, text] of [...params]) {
    const match = /^(.+?)\*(?:(\d{1,4})(\*)?)?$/.exec(name);
    if (!match) continue;
    params.delete(name);
    const list = sections.get(match[1] as string) ?? [];
    list.push({ index: Number(match[2] ?? 0), text, encoded: match[2] === undefined || match[3] === '*' });
    sections.set(match[1] as string, list);
  }
  for (const [name, list] of sections) {
    list.sort((left, right) => left.index - right.index);
    let charset = 'utf-8';
    let value = '';
    let pending: number[] = [];
    let isNamed = false;
    const flush = () => {
      if (pending.length) value += decodeText(new Uint8Array(pending), charset);
      pending = [];
    };
    for (const section of list) {
      let { text } = section;
      // The first encoded section names the character set.
      const labeled = section.encoded && !isNamed ? /^([^']*)'[^']*'(.*)$/s.exec(text) : null;
      isNamed ||= section.encoded;
      if (labeled) {
        charset = labeled[1] || 'utf-8';
        text = labeled[2] ?? '';
      }
      if (section.encoded) for (const byte of percentBytes(text)) pending.push(byte);
      else {
        flush();
        value += text;
      }
    }
    flush();
    // The RFC 2231 form is exact; a plain parameter beside it is for old readers.
    params.set(name, value);
  }
}

function percentBytes(text: string): number[] {
  const bytes: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const hex = text.slice(index + 1, index + 3);
    if (text.charAt(index) === '%' && /^[0-9a-f]{2}$/i.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      index += 2;
    } else for (const byte of utf8(text.charAt(index))) bytes.push(byte);
  }
  return bytes;
}

const TOKEN = /^[A-Za-z0-9!#$&+\-.^_`{|}~]+$/;
const SECTION_MAX_CHARACTERS = 60;

/**
 * Returns one parameter as header text, `name=value`: a token or quoted string for ASCII, otherwise
 * RFC 2231 sections. Sections are separated by `; ` so that the header can be folded between them.
 * Line breaks become blanks.
 */
export function formatParameter(name: string, value: string): string {
  const clean = value.replace(/\p{Cc}+/gu, ' ');
  if (TOKEN.test(clean) && clean.length <= SECTION_MAX_CHARACTERS) return `${name}=${clean}`;
  if (/^[\u0020-\u007e]*$/.test(clean) && clean.length <= SECTION_MAX_CHARACTERS) {
    return `${name}="${clean.replace(/["\\]/g, '\\$&')}"`;
  }
  const sections: string[] = [];
  let current = "utf-8''";
  for (const char of clean) {
    const piece = /[A-Za-z0-9!#$&+\-.^_`{|}~]/.test(char)
      ? char
      : Array.from(utf8(char), byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
    if (current.length + piece.length > SECTION_MAX_CHARACTERS) {
      sections.push(current);
      current = '';
    }
    current += piece;
  }
  sections.push(current);
  if (sections.length === 1) return `${name}*=${sections[0]}`;
  return sections.map((section, index) => `${name}*${index}*=${section}`).join('; ');
}

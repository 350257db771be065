// Reads the unsubscribe fields of mailing lists (RFC 2369, RFC 8058). Callers check whether a
// signature covers them and decide what to do with an address.

import { decodeWords } from './encoded-words.ts';

/** Maximum length of an examined value, in characters. */
const VALUE_MAX_CHARACTERS = 8_000;

const SCHEME = '(?:mailto:|https?:\\/\\/)';
const NEXT_ADDRESS = new RegExp(`[\\s,;]+(?=${SCHEME})`, 'i');
const WITH_SCHEME = new RegExp(`^${SCHEME}`, 'i');

/**
 * Returns the texts inside angle brackets and the text outside them; comments belong to neither.
 */
function splitBrackets(value: string): { inside: string[]; outside: string } {
  const inside: string[] = [];
  let outside = '';
  let depth = 0;
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === '(' && (depth > 0 || !/\S$/.test(value.slice(Math.max(0, at - 1), at)))) depth++;
    else if (char === ')' && depth > 0) depth--;
    else if (depth > 0) continue;
    else if (char === '<') {
      const end = value.indexOf('>', at);
      if (end < 0) return { inside, outside: outside + value.slice(at + 1) };
      inside.push(value.slice(at + 1, end));
      at = end;
    } else outside += char;
  }
  return { inside, outside };
}

const trimAddress = (written: string): string =>
  written
    .replace(/\s+/g, '')
    .replace(/^["'<]+|["'>,;]+$/g, '')
    .replace(/^url:/i, '')
    .replace(/^mailto:\/\//i, 'mailto:')
    .replace(/^(?=[^\s:/?#@]+@[^\s:/?#@]+$)/, 'mailto:');

/**
 * Returns the addresses of a List-Unsubscribe value in order, without blanks, with any scheme.
 * Decodes encoded words. If the brackets are missing, accepts email and web addresses without them.
 */
export function readUnsubscribeAddresses(value: string): string[] {
  const isWhole = value.length <= VALUE_MAX_CHARACTERS;
  const plain = decodeWords(value.slice(0, VALUE_MAX_CHARACTERS));
  const written = plain.includes('<') ? plain : plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const { inside, outside } = splitBrackets(written);
  const bare = isWhole && inside.length === 0 ? outside.trim().split(NEXT_ADDRESS) : [];
  const found = inside.flatMap(one => one.trim().split(NEXT_ADDRESS)).map(trimAddress);
  return [...found, ...bare.map(trimAddress).filter(one => WITH_SCHEME.test(one))].filter(one => one !== '');
}

/** Reports whether an address is an https URL. */
export function isSecureWeb(address: string): boolean {
  if (!/^https:\/\/[^/]/i.test(address)) return false;
  try {
    return new URL(address).hostname !== '';
  } catch {
    return false;
  }
}

/**
 * Returns the address for a one-click POST, or null: RFC 8058 §3.1 requires one field of each kind,
 * one https address, and the exact value of the other field. Takes the unfolded values of all
 * fields of each kind.
 */
export function findOneClickAddress(unsubscribe: readonly string[], post: readonly string[]): string | null {
  const [value, ...others] = unsubscribe;
  const [words, ...otherWords] = post;
  if (value === undefined || words === undefined || others.length + otherWords.length > 0) return null;
  if (!/^\s*list-unsubscribe\s*=\s*one-click\s*$/i.test(words)) return null;
  // Only a bracketed address is meant for programs.
  if (!/[<]/.test(decodeWords(value.slice(0, VALUE_MAX_CHARACTERS)))) return null;
  const [address, ...more] = readUnsubscribeAddresses(value).filter(isSecureWeb);
  return address === undefined || more.length > 0 ? null : address;
}

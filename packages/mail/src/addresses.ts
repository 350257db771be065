// Parses address lists from hostile headers and formats them for headers (RFC 5322 3.4). Groups are
// flattened, since no screen shows them. Does not check whether an address exists.

import { asciiDomain, normalizeAddress } from './address-form.ts';
import { MailError } from './errors.ts';
import { INVISIBLE_ALONE } from './invisible.ts';
import { ADDRESS_LIST_MAX_ENTRIES, ADDRESS_MAX_CHARACTERS, LOCAL_PART_MAX_CHARACTERS } from './limits.ts';
import { decodeWords, encodeWords } from './mime/encoded-words.ts';

/** One person: `name` may be empty; `address` is empty when the header gave only a name. */
export type Mailbox = {
  name: string;
  address: string;
};

type Draft = {
  words: string; // as shown: without quotes
  source: string; // as written: with quotes, for addresses outside angle brackets
  bare: string; // the text outside quotation marks
  comment: string;
  angle: string | null;
  after: string; // the text after the angle brackets; used as a name only when none precedes them
  hasAt: boolean; // whether `source` contains an @; checked for every colon, so it must be free
};

const emptyDraft = (): Draft => ({
  words: '',
  source: '',
  bare: '',
  comment: '',
  angle: null,
  after: '',
  hasAt: false,
});

// Control characters and bidirectional overrides would let a name redraw the address next to it.
const UNSAFE_IN_NAME = /[\p{Cc}\u2028\u2029]+/gu;

function cleanName(text: string): string {
  return decodeWords(text)
    .replace(UNSAFE_IN_NAME, ' ')
    .replace(INVISIBLE_ALONE, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function cleanAddress(text: string): string {
  // A source route (@a,@b:user@c) names relays, which are obsolete; only the mailbox counts.
  const routed = text.trimStart().startsWith('@') ? text.slice(text.indexOf(':') + 1) : text;
  let cleaned = '';
  let quoted = false;
  let depth = 0; // nesting depth of comments
  for (let index = 0; index < routed.length; index++) {
    const char = routed.charAt(index);
    if (!quoted && char === '(') depth++;
    if (depth) {
      if (char === ')') depth--;
      continue;
    }
    if (char === '"') quoted = !quoted;
    else if (quoted && char === '\\') {
      cleaned += char + routed.charAt(++index);
      continue;
    }
    if (char.charCodeAt(0) < 0x20 || char.charCodeAt(0) === 0x7f || (!quoted && char === ' ')) continue;
    cleaned += char;
  }
  return cleaned;
}

/**
 * Returns the mailboxes of one entry: several when it contains addresses without a comma between
 * them, so that none becomes a name.
 */
function finish(draft: Draft): Mailbox[] {
  if (draft.angle !== null) {
    const address = cleanAddress(draft.angle);
    const name = cleanName(draft.words) || cleanName(draft.comment) || cleanName(draft.after);
    return address || name ? [{ name, address }] : [];
  }
  // An unmatched closing bracket is not part of an address.
  const source = draft.source.trim().replace(/>+$/, '');
  if (!source) return [];
  if (/^"(?:[^"\\]|\\.)*"@\S+$/.test(source)) {
    return [{ name: cleanName(draft.comment), address: cleanAddress(source) }];
  }
  // "Jane jane@example.org" without brackets: each word that contains an @ is an address.
  const words = draft.bare
    .split(/\s+/)
    .map(word => word.replace(/>+$/, ''))
    .filter(word => word.includes('@'));
  // A word that begins with @ lost its local part to a quotation or a comment, and would be another
  // person's address.
  if (words.length === 0 || words.some(word => word.startsWith('@')))
    return [{ name: cleanName(draft.words), address: '' }];
  if (words.length > 1) return words.map(word => ({ name: '', address: cleanAddress(word) }));
  const rest = cleanName(draft.words.replace(words[0] ?? '', ' '));
  const name = rest.replace(/^>+$/, '') || cleanName(draft.comment);
  return [{ name: name.includes('@') ? '' : name, address: cleanAddress(words[0] ?? '') }];
}

const ENCODED_WORD = /=\?[^?\s<>"]{1,40}\?[QqBb]\?[^?\s<>"]{0,1000}\?=/y;

/**
 * Returns the mailboxes of an address header in order, with groups flattened. Never fails:
 * unreadable entries are left out. Encoded words are decoded only after the list is split, so that
 * they cannot inject an address.
 */
export function parseAddressList(value: string): Mailbox[] {
  const found: Mailbox[] = [];
  let draft = emptyDraft();
  const close = () => {
    found.push(...finish(draft).slice(0, ADDRESS_LIST_MAX_ENTRIES));
    draft = emptyDraft();
  };
  let index = 0;
  while (index < value.length && found.length < ADDRESS_LIST_MAX_ENTRIES) {
    const char = value.charAt(index);
    ENCODED_WORD.lastIndex = index;
    const word = char === '=' && draft.angle === null ? ENCODED_WORD.exec(value) : null;
    if (word) {
      // Commas and colons inside an encoded word are characters of the name, despite the standard.
      draft.words += word[0];
      draft.source += word[0];
      draft.hasAt ||= word[0].includes('@');
      index += word[0].length;
    } else if (char === '"') {
      const end = endOfQuoted(value, index);
      draft.words += value.slice(index + 1, end - 1).replace(/\\(.)/gs, '$1');
      draft.source += value.slice(index, end);
      draft.hasAt ||= value.slice(index, end).includes('@');
      index = end;
    } else if (char === '(') {
      const end = endOfComment(value, index);
      draft.comment = value.slice(index + 1, end - 1).replace(/\\(.)/gs, '$1');
      draft.words += ' ';
      draft.source += ' ';
      draft.bare += ' ';
      index = end;
    } else if (char === '<') {
      if (draft.angle !== null) close();
      const end = endOfAngle(value, index + 1);
      draft.angle = value.slice(index + 1, end);
      index = end + (value.charAt(end) === '>' ? 1 : 0);
    } else if (char === ',' || char === ';') {
      close();
      index++;
    } else if (char === ':' && draft.angle === null && !draft.hasAt) {
      draft = emptyDraft(); // the name of a group
      index++;
    } else {
      if (draft.angle === null) {
        draft.words += char;
        draft.source += char;
        draft.bare += char;
        draft.hasAt ||= char === '@';
      } else draft.after += char;
      index++;
    }
  }
  close();
  return found.slice(0, ADDRESS_LIST_MAX_ENTRIES);
}

function endOfQuoted(value: string, start: number): number {
  for (let index = start + 1; index < value.length; index++) {
    const char = value.charAt(index);
    if (char === '\\') index++;
    else if (char === '"') return index + 1;
  }
  return value.length + 1;
}

function endOfComment(value: string, start: number): number {
  let depth = 0;
  for (let index = start; index < value.length; index++) {
    const char = value.charAt(index);
    if (char === '\\') index++;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return index + 1;
  }
  return value.length + 1;
}

function endOfAngle(value: string, start: number): number {
  let quoted = false;
  let first = start;
  while (first < value.length && value.charAt(first).trim() === '') first++;
  // Commas separate the relays of a source route, and occur only there.
  const isRoute = value.charAt(first) === '@';
  for (let index = start; index < value.length; index++) {
    const char = value.charAt(index);
    if (char === '\\') index++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && (char === '>' || char === '<' || char === ';')) return index;
    else if (!quoted && char === ',' && !isRoute) return index;
  }
  return value.length;
}

const LOCAL_PART = /^(?!\.+$)[^\s"(),:;<>@[\\\]\p{Cc}]+$/u;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Reports whether an address can be written to. It has at most 254 characters, a local part of at
 * most 64, and a domain name of two or more labels (or `localhost`, for the local machine). The
 * local part is quoted or has no special characters; leading, trailing and doubled dots are allowed
 * and sent as they are, because some mobile carriers assigned such addresses. Address literals are
 * rejected.
 */
export function isValidAddress(address: string): boolean {
  const normal = normalizeAddress(address);
  if (normal.length > ADDRESS_MAX_CHARACTERS || address.trim().length > ADDRESS_MAX_CHARACTERS) return false;
  const at = normal.lastIndexOf('@');
  const local = normal.slice(0, at);
  const domain = normal.slice(at + 1);
  if (at < 1 || local.length > LOCAL_PART_MAX_CHARACTERS) return false;
  const quoted = /^"(?:[\u0020\u0021\u0023-\u005b\u005d-\u007e]|\\[\u0020-\u007e])*"$/.test(local);
  if (!quoted && !LOCAL_PART.test(local)) return false;
  const labels = domain.split('.');
  if (domain !== 'localhost' && labels.length < 2) return false;
  // A numeric last label is an IPv4 address, not a name.
  return labels.every(label => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

/**
 * Formats a mailbox as header text, with encoded words and quotes where needed. Fails with
 * `bad_address` on a line break.
 */
export function formatMailbox(mailbox: Mailbox): string {
  const at = mailbox.address.lastIndexOf('@');
  const address =
    at < 0 ? mailbox.address : mailbox.address.slice(0, at + 1) + asciiDomain(mailbox.address.slice(at + 1));
  if (/[\p{Cc}<>]/u.test(address)) throw new MailError('bad_address');
  const name = mailbox.name.replace(UNSAFE_IN_NAME, ' ').trim();
  if (!name) return address;
  if (!/^[\u0020-\u007e]*$/.test(name) || name.includes('=?')) return `${encodeWords(name)} <${address}>`;
  const safe = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~ ]+$/.test(name);
  return `${safe ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${address}>`;
}

/**
 * Formats an address list as header text, to be folded after the commas. Fails as {@link
 * formatMailbox} does.
 */
export function formatAddressList(mailboxes: readonly Mailbox[]): string {
  return mailboxes.map(formatMailbox).join(', ');
}

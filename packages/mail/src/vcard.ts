// Contacts as vCard files (RFC 6350; 3.0 of RFC 2426 is read too): what an address book keeps of a card, and cards made of
// it. Files come from anywhere: each card is read alone, broken ones are counted, everything has a greatest size.
import ICAL from 'ical.js';
import { isValidAddress } from './addresses.ts';
import { oneLine, severalLines } from './card-text.ts';
import {
  CONTACT_LIST_MAX_PIECES,
  VCARD_CARD_MAX_LINES,
  VCARD_CARDS_MAX,
  VCARD_FILE_MAX_CHARACTERS,
  VCARD_LINE_MAX_CHARACTERS,
  VCARD_TEXT_MAX_CHARACTERS,
} from './limits.ts';

/** What is kept of a card; one without an address is none. Addresses are lowercase, the preferred one first. */
export type CardPerson = {
  readonly name: string;
  readonly emails: readonly string[];
  readonly note: string;
  /** Names of groups (CATEGORIES). */
  readonly groups: readonly string[];
};

export type CardFile = {
  readonly people: readonly CardPerson[];
  /** Cards that could not be read, or have no address. */
  readonly skipped: number;
};

/** The texts of each card of a file, without what stands between them. */
function cardsOf(text: string): string[] {
  const cards: string[] = [];
  let lines: string[] | null = null;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const word = line.trim().toUpperCase();
    if (word === 'BEGIN:VCARD') lines = [];
    lines?.push(line);
    if (word !== 'END:VCARD' || lines === null) continue;
    cards.push(lines.join('\r\n'));
    lines = null;
    if (cards.length > VCARD_CARDS_MAX) break;
  }
  return cards;
}

/** Leaves values as they stand in the file: ical.js keeps the backslash of `\;`, and misses the comma after `\\`. */
const valuesAsWritten = {
  name: 'vcard as written',
  value: { text: {} },
  param: {},
  property: {},
  propertyGroups: true,
} as unknown as Parameters<typeof ICAL.parse.property>[1];

/** What is read of a card; all else in it is not looked at. */
const isRead = /^(?:[^\s.:;]+\.)?(?:fn|n|email|note|categories)[;:]/i;

const propertiesOf = (card: string): ICAL.Property[] =>
  card
    .replace(/\r\n[ \t]/g, '')
    .split('\r\n')
    .filter(line => isRead.test(line))
    .slice(0, VCARD_CARD_MAX_LINES)
    .map(line => line.slice(0, VCARD_LINE_MAX_CHARACTERS))
    .map(line => new ICAL.Property(ICAL.parse.property(line, valuesAsWritten)));

const separatorOf: Readonly<Record<string, RegExp>> = { n: /^;$/, categories: /^,$/ };

/** Parts of a value between separators that are not escaped, and without their escapes (RFC 6350 section 3.4). */
function partsOf(value: string, separator: RegExp | undefined): string[] {
  const parts: string[] = [];
  let part = '';
  for (const [token] of value.matchAll(/\\[\\;,:nN]|[^\\;,]+|[\\;,]/g)) {
    if (separator?.test(token)) {
      parts.push(part);
      part = '';
    } else if (/^\\[nN]$/.test(token)) part += '\n';
    else part += token.replace(/^\\(?=.)/, '');
  }
  return [...parts, part];
}

/** The lower, the more preferred: PREF of version 4, TYPE=pref of version 3. */
function preference(property: ICAL.Property): number {
  const pref = Number(property.getFirstParameter('pref'));
  if (Number.isInteger(pref) && pref > 0) return pref;
  return /(^|,)pref(,|$)/i.test(String(property.getFirstParameter('type') ?? '')) ? 1 : 101;
}

function readCard(text: string): CardPerson | null {
  const properties = propertiesOf(text);
  const textsOf = (name: string): string[] =>
    properties
      .filter(property => property.name === name)
      .flatMap(property => partsOf(String(property.getFirstValue() ?? ''), separatorOf[name]));
  const emails = properties
    .filter(({ name }) => name === 'email')
    .toSorted((a, b) => preference(a) - preference(b))
    .map(property =>
      partsOf(String(property.getFirstValue() ?? ''), undefined)
        .join('')
        .replace(/^mailto:/i, '')
        .trim()
        .toLowerCase(),
    )
    .filter(isValidAddress);
  if (emails.length === 0) return null;
  const [family = '', given = ''] = textsOf('n');
  return {
    name: oneLine(textsOf('fn')[0] ?? '') || oneLine(`${given} ${family}`),
    emails: [...new Set(emails)].slice(0, VCARD_TEXT_MAX_CHARACTERS.emails),
    note: severalLines(textsOf('note')[0] ?? ''),
    groups: [...new Set(textsOf('categories').slice(0, CONTACT_LIST_MAX_PIECES).map(oneLine))]
      .filter(name => name !== '')
      .slice(0, VCARD_TEXT_MAX_CHARACTERS.groups),
  };
}

/** The people of a file. Throws RangeError when it is too large. */
export function readCards(text: string): CardFile {
  if (text.length > VCARD_FILE_MAX_CHARACTERS) throw new RangeError('The file is too large');
  const cards = cardsOf(text);
  const people: CardPerson[] = [];
  let skipped = 0;
  for (const card of cards.slice(0, VCARD_CARDS_MAX)) {
    let person: CardPerson | null = null;
    try {
      person = readCard(card);
    } catch {
      // A card that cannot be read is counted.
    }
    if (person === null) skipped += 1;
    else people.push(person);
  }
  return { people, skipped: skipped + Math.max(0, cards.length - VCARD_CARDS_MAX) };
}

const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '');

const foldAt = 75;

/** A line of at most 75 bytes, and its continuations; no character is cut. */
function folded(line: string): string {
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (bytes + size > foldAt) {
      pieces.push(piece);
      piece = ' ';
      bytes = 1;
    }
    piece += character;
    bytes += size;
  }
  return [...pieces, piece].join('\r\n');
}

/** A vCard 4.0 file of these people. */
export const writeCards = (people: readonly CardPerson[]): string =>
  people
    .map(({ name, emails, note, groups }) =>
      [
        'BEGIN:VCARD',
        'VERSION:4.0',
        `FN:${escaped(name || (emails[0] ?? ''))}`,
        ...emails.map((email, index) => `EMAIL;PREF=${Math.min(index + 1, 100)}:${escaped(email)}`),
        ...(note === '' ? [] : [`NOTE:${escaped(note)}`]),
        ...(groups.length === 0 ? [] : [`CATEGORIES:${groups.map(escaped).join(',')}`]),
        'END:VCARD',
      ]
        .map(line => `${folded(line)}\r\n`)
        .join(''),
    )
    .join('');

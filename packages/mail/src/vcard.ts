// Contacts as vCard files (RFC 6350; 3.0 of RFC 2426 is read too): what an address book keeps of a card, and cards made of
// it. Files come from anywhere: each card is read alone, broken ones are counted, everything has a greatest size.
import ICAL from 'ical.js';
import { isValidAddress } from './addresses.ts';
import { cardTexts, lineSpans } from './card-lines.ts';
import { oneLine, severalLines } from './card-text.ts';
import {
  CONTACT_FILE_GROUPS_MAX,
  VCARD_CARD_MAX_LINES,
  VCARD_CARDS_MAX,
  VCARD_FILE_MAX_CHARACTERS,
  VCARD_GROUPS_LINE_CHARACTERS,
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

/** What cards have and an address book has no place for. */
export const CARD_LEFT_OUT = ['phone', 'address', 'birthday', 'company', 'picture', 'site'] as const;
export type CardLeftOut = (typeof CARD_LEFT_OUT)[number];

export type CardFile = {
  readonly people: readonly CardPerson[];
  /** Cards that could not be read, or have no address: the name of each where it has one; by their number, from 1. */
  readonly without: readonly { readonly row: number; readonly name: string }[];
  /** What of the people is left out. */
  readonly leftOut: readonly CardLeftOut[];
  /** The file has more cards, or names more groups, than are read. */
  readonly isCut: boolean;
};

/** The texts of each card of a file, and of one more than is read. */
function cardsOf(text: string): string[] {
  const cards: string[] = [];
  for (const card of cardTexts(text)) {
    cards.push(card);
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
const leftOutLine = /^(?:[^\s.:;]+\.)?(tel|adr|bday|org|photo|url)[;:].*[^;:\s]/i;
const leftOutNames: Readonly<Record<string, CardLeftOut>> = {
  tel: 'phone',
  adr: 'address',
  bday: 'birthday',
  org: 'company',
  photo: 'picture',
  url: 'site',
};

/** The lines of a card that say something, unfolded. */
function linesOf(card: string): string[] {
  const text = card.replace(/(?:\r\n|\r|\n)[ \t]/g, '');
  const lines: string[] = [];
  for (const [start, end] of lineSpans(text)) {
    const line = text.slice(start, end);
    if (isRead.test(line) || leftOutLine.test(line)) lines.push(line);
  }
  return lines;
}

const leftOutOf = (lines: readonly string[]): CardLeftOut[] =>
  lines.flatMap(line => leftOutNames[leftOutLine.exec(line.slice(0, 200))?.[1]?.toLowerCase() ?? ''] ?? []);

const propertiesOf = (lines: readonly string[]): ICAL.Property[] =>
  lines
    .filter(line => isRead.test(line))
    .slice(0, VCARD_CARD_MAX_LINES)
    .map(line => line.slice(0, VCARD_LINE_MAX_CHARACTERS))
    .map(line => new ICAL.Property(ICAL.parse.property(line, valuesAsWritten)));

const separatorOf: Readonly<Record<string, RegExp>> = { n: /^;$/, categories: /^,$/ };

/** Parts of a value between separators that are not escaped, and without their escapes (RFC 6350 section 3.4). */
function* partsOf(value: string, separator: RegExp | undefined): Generator<string> {
  let part = '';
  for (const [token] of value.matchAll(/\\[\\;,:nN]|[^\\;,]+|[\\;,]/g)) {
    if (separator?.test(token)) {
      yield part;
      part = '';
    } else if (/^\\[nN]$/.test(token)) part += '\n';
    else part += token.replace(/^\\(?=.)/, '');
  }
  yield part;
}

/** The lower, the more preferred: PREF of version 4, TYPE=pref of version 3. */
function preference(property: ICAL.Property): number {
  const pref = Number(property.getFirstParameter('pref'));
  if (Number.isInteger(pref) && pref > 0) return pref;
  return /(^|,)pref(,|$)/i.test(String(property.getFirstParameter('type') ?? '')) ? 1 : 101;
}

/** Groups that may still be looked at, over all cards of a file. */
type Room = { groups: number };

function groupsOf(values: readonly string[], room: Room): string[] {
  const found = new Set<string>();
  for (const value of values)
    for (const part of partsOf(value, separatorOf.categories)) {
      if (room.groups <= 0) return [...found];
      room.groups -= 1;
      const name = oneLine(part);
      if (name !== '') found.add(name);
    }
  return [...found];
}

function readCard(lines: readonly string[], room: Room): CardPerson {
  const properties = propertiesOf(lines);
  const valuesOf = (name: string): string[] =>
    properties
      .filter(property => property.name === name)
      .map(property => String(property.getFirstValue() ?? ''));
  const firstOf = (name: string): string[] => [...partsOf(valuesOf(name)[0] ?? '', separatorOf[name])];
  const emails = properties
    .filter(({ name }) => name === 'email')
    .toSorted((a, b) => preference(a) - preference(b))
    .map(property =>
      [...partsOf(String(property.getFirstValue() ?? ''), undefined)]
        .join('')
        .replace(/^mailto:/i, '')
        .trim()
        .toLowerCase(),
    )
    .filter(isValidAddress);
  const [family = '', given = ''] = firstOf('n');
  const name = oneLine(firstOf('fn')[0] ?? '') || oneLine(`${given} ${family}`);
  return {
    // A card must have a name, so the address stands there for who has none.
    name: emails.includes(name.toLowerCase()) ? '' : name,
    emails: [...new Set(emails)].slice(0, VCARD_TEXT_MAX_CHARACTERS.emails),
    note: severalLines(firstOf('note')[0] ?? ''),
    groups: emails.length === 0 ? [] : groupsOf(valuesOf('categories'), room),
  };
}

/** The people of a file. Throws RangeError when it is too large. */
export function readCards(text: string): CardFile {
  if (text.length > VCARD_FILE_MAX_CHARACTERS) throw new RangeError('The file is too large');
  const cards = cardsOf(text);
  const people: CardPerson[] = [];
  const without: { row: number; name: string }[] = [];
  const leftOut = new Set<CardLeftOut>();
  const room: Room = { groups: CONTACT_FILE_GROUPS_MAX };
  for (const [index, card] of cards.slice(0, VCARD_CARDS_MAX).entries()) {
    const lines = linesOf(card);
    let person: CardPerson | null = null;
    try {
      person = readCard(lines, room);
    } catch {
      // A card that cannot be read is named as far as it can be.
    }
    if (person === null || person.emails.length === 0)
      without.push({ row: index + 1, name: person?.name ?? '' });
    else {
      people.push(person);
      for (const one of leftOutOf(lines)) leftOut.add(one);
    }
  }
  return {
    people,
    without,
    leftOut: CARD_LEFT_OUT.filter(one => leftOut.has(one)),
    isCut: cards.length > VCARD_CARDS_MAX || room.groups <= 0,
  };
}

const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/[^\P{Cc}\t]/gu, '');

const foldAt = 75;

/** Bytes of a character in UTF-8. */
function sizeOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** A line of at most 75 bytes, and its continuations; no character is cut. */
function folded(line: string): string {
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const character of line) {
    const size = sizeOf(character);
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

/** Lines with the groups of somebody: one, as most have it, and more where it would be very long. */
function groupLines(groups: readonly string[]): string[] {
  const lines: string[] = [];
  let line = '';
  for (const group of groups) {
    const isFull = line.length > VCARD_GROUPS_LINE_CHARACTERS;
    if (isFull) lines.push(line);
    line = line === '' || isFull ? `CATEGORIES:${escaped(group)}` : `${line},${escaped(group)}`;
  }
  return line === '' ? lines : [...lines, line];
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
        ...groupLines(groups),
        'END:VCARD',
      ]
        .map(line => `${folded(line)}\r\n`)
        .join(''),
    )
    .join('');

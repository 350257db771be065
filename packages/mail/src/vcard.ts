// Reads and writes contacts as vCard files of versions 2.1, 3.0 and 4.0 (RFC 6350), keeping what an
// address book stores. Files are untrusted: each card is read on its own, broken ones are counted,
// everything has a maximum size. Properties without a dedicated field are kept as lines
// (card-details.ts reads them), so that they are exported unchanged.
import { isValidAddress } from './addresses.ts';
import { cardTexts, unfoldedLines } from './card-lines.ts';
import {
  type CardProperty,
  type CardSource,
  escaped,
  formatProperty,
  partsOf,
  readProperty,
  typesOf,
} from './card-property.ts';
import { oneLine, severalLines } from './card-text.ts';
import {
  CONTACT_FILE_GROUPS_MAX,
  VCARD_CARD_MAX_LINES,
  VCARD_CARDS_MAX,
  VCARD_FILE_MAX_CHARACTERS,
  VCARD_GROUPS_LINE_CHARACTERS,
  VCARD_LINE_MAX_CHARACTERS,
  VCARD_PICTURE_MAX_CHARACTERS,
  VCARD_TEXT_MAX_CHARACTERS,
} from './limits.ts';
import { boundGuesses, decodeUnlabeled } from './mime/charsets.ts';
import { finishSteps, runInSlices } from './slices.ts';

/**
 * Data kept from a card; a card without an address is not a person. Addresses are lowercase, the
 * preferred one first.
 */
export type CardPerson = {
  readonly name: string;
  readonly emails: readonly string[];
  readonly note: string;
  /** Group names (CATEGORIES). */
  readonly groups: readonly string[];
  /** Everything else, as unfolded version 4 lines; absent when there is none. */
  readonly lines?: readonly string[];
};

/** Kinds of content that can be too large to keep. */
export const CARD_LEFT_OUT = ['picture', 'line'] as const;
export type CardLeftOut = (typeof CARD_LEFT_OUT)[number];

export type CardFile = {
  readonly people: readonly CardPerson[];
  /**
   * Cards that are unreadable or have no address, by their number, from 1, with their name if they
   * have one.
   */
  readonly without: readonly { readonly row: number; readonly name: string }[];
  /** Content of the people that was left out. */
  readonly leftOut: readonly CardLeftOut[];
  /** The file has more cards, or names more groups, than are read. */
  readonly isCut: boolean;
};

/** Number of cards, or of other steps, in one slice of work: several milliseconds. */
const SLICE_CARDS = 50;
const SLICE_BYTES = 524_288;

/** Yields the lines of each card of a file, up to one more than is read. */
function* cardsOf(text: string): Generator<number, string[]> {
  const cards: string[] = [];
  for (const card of cardTexts(text)) {
    cards.push(card);
    if (cards.length > VCARD_CARDS_MAX) break;
    if (cards.length % SLICE_CARDS === 0) yield 0;
  }
  return cards;
}

/**
 * Returns the preference of a property, lower is more preferred: PREF of version 4, TYPE=pref of
 * version 3.
 */
function preference(property: CardProperty): number {
  const pref = Number(property.params.find(([key]) => key === 'PREF')?.[1]);
  if (Number.isInteger(pref) && pref > 0) return pref;
  return typesOf(property).includes('pref') ? 1 : 101;
}

/** Number of groups that may still be examined, over all cards of a file. */
type Room = { groups: number };

function groupsOf(values: readonly string[], room: Room): string[] {
  const found = new Set<string>();
  for (const value of values)
    for (const part of partsOf(value, ',')) {
      if (room.groups <= 0) return [...found];
      room.groups -= 1;
      const name = oneLine(part);
      if (name !== '') found.add(name);
    }
  return [...found];
}

const addressOf = ({ value }: CardProperty): string =>
  [...partsOf(value)]
    .join('')
    .replace(/^mailto:/i, '')
    .trim()
    .toLowerCase();

/** Lines that have a dedicated field, or none at all. */
const OWN = new Set(['BEGIN', 'END', 'VERSION', 'FN', 'NOTE', 'CATEGORIES']);
/** Lines that are read before all others, regardless of their number. */
const READ = /^(?:FN|N|EMAIL|NOTE|CATEGORIES)$/;
const isLarge = (name: string): boolean => /^(?:PHOTO|LOGO|SOUND|KEY|AGENT)$/.test(name);

/** Reports whether an address line contains more than the address. */
const saysMore = (property: CardProperty): boolean =>
  property.group !== '' ||
  property.params.some(([key, value]) => key !== 'PREF' && !/^(?:internet|pref|,)+$/i.test(value));

function propertiesOf(card: string, isBytes: boolean, leftOut: Set<CardLeftOut>): CardProperty[] {
  const isOld = /^[ \t]*VERSION:[ \t]*2/im.test(card);
  const source: CardSource = { isOld, isBytes: isBytes && /;CHARSET=/i.test(card) };
  const found: CardProperty[] = [];
  let others = 0;
  let own = 0;
  for (const line of unfoldedLines(card)) {
    const property = readProperty(line, source);
    if (property === null) continue;
    const { name, value } = property;
    const isOwn = READ.test(name);
    const most = isLarge(name) ? VCARD_PICTURE_MAX_CHARACTERS : VCARD_LINE_MAX_CHARACTERS;
    if (value.length > most && !isOwn) leftOut.add(isLarge(name) ? 'picture' : 'line');
    else if ((isOwn ? own++ : others++) >= VCARD_CARD_MAX_LINES) leftOut.add('line');
    else found.push(property);
  }
  return found;
}

function readCard(properties: readonly CardProperty[], room: Room): CardPerson {
  const named = (name: string) => properties.filter(property => property.name === name);
  const textOf = (name: string): string => [...partsOf(named(name)[0]?.value ?? '')].join('');
  const addresses = named('EMAIL').toSorted((a, b) => preference(a) - preference(b));
  const emails = [...new Set(addresses.map(addressOf).filter(isValidAddress))];
  const [family = '', given = '', middle = '', before = '', after = ''] = partsOf(
    named('N')[0]?.value ?? '',
    ';',
  );
  const name =
    oneLine(textOf('FN')) ||
    oneLine([before, given, middle, family, after].join(' ')) ||
    oneLine(textOf('NICKNAME')) ||
    oneLine([...partsOf(named('ORG')[0]?.value ?? '', ';')][0] ?? '');
  const kept = emails.slice(0, VCARD_TEXT_MAX_CHARACTERS.emails);
  const lines = properties.filter(property => {
    if (OWN.has(property.name) || property.value.replace(/[;,\s]/g, '') === '') return false;
    return property.name !== 'EMAIL' || saysMore(property) || !kept.includes(addressOf(property));
  });
  return {
    // A card must have a name, so the address takes its place for people without one.
    name: emails.includes(name.toLowerCase()) ? '' : name,
    emails: kept,
    note: severalLines(
      named('NOTE')
        .map(({ value }) => [...partsOf(value)].join(''))
        .join('\n'),
    ),
    groups:
      emails.length === 0
        ? []
        : groupsOf(
            named('CATEGORIES').map(({ value }) => value),
            room,
          ),
    ...(lines.length === 0 ? {} : { lines: lines.map(formatProperty) }),
  };
}

/**
 * Number of texts in one file whose character set is guessed: old phones wrote thousands of cards
 * without naming one.
 */
const GUESSES_MAX = 5_000;

/** Yields the progress after each slice, from 0 to 1. */
function* readAll(text: string, raw: string | null): Generator<number, CardFile> {
  if (text.length > VCARD_FILE_MAX_CHARACTERS) throw new RangeError('The file is too large');
  const cards = yield* cardsOf(text);
  // The same cards as bytes, for those that name their own character set.
  const rawCards = raw === null ? [] : yield* cardsOf(raw);
  const people: CardPerson[] = [];
  const without: { row: number; name: string }[] = [];
  const leftOut = new Set<CardLeftOut>();
  const room: Room = { groups: CONTACT_FILE_GROUPS_MAX };
  for (const [index, decoded] of cards.slice(0, VCARD_CARDS_MAX).entries()) {
    if (index > 0 && index % SLICE_CARDS === 0) yield index / cards.length;
    const bytes = rawCards.length === cards.length ? rawCards[index] : undefined;
    const isBytes = bytes !== undefined && /;CHARSET=/i.test(bytes);
    const cut = new Set<CardLeftOut>();
    const person = readCard(propertiesOf(isBytes ? bytes : decoded, isBytes, cut), room);
    if (person.emails.length === 0) without.push({ row: index + 1, name: person.name });
    else {
      people.push(person);
      for (const one of cut) leftOut.add(one);
    }
  }
  return {
    people,
    without,
    leftOut: CARD_LEFT_OUT.filter(one => leftOut.has(one)),
    isCut: cards.length > VCARD_CARDS_MAX || room.groups <= 0,
  };
}

const finish = (slices: Generator<number, CardFile>): CardFile =>
  boundGuesses(() => finishSteps(slices), { left: GUESSES_MAX });

/** Returns the people of a file. Throws RangeError when it is too large. */
export const readCards = (text: string): CardFile => finish(readAll(text, null));

function* readBytes(bytes: Uint8Array, text: string): Generator<number, CardFile> {
  const isUtf = text === decodeUnlabeled(bytes) && !text.includes('\ufffd') && isUtf8(bytes);
  yield 0;
  if (isUtf || bytes.length > VCARD_FILE_MAX_CHARACTERS || text.length < bytes.length / 4)
    return yield* readAll(text, null);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 8_192) {
    if (at > 0 && at % SLICE_BYTES === 0) yield 0;
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)));
  }
  return yield* readAll(text, pieces.join(''));
}

/**
 * Same as readCards, for a file whose character set is unknown; `text` is its most likely decoding
 * as a whole.
 */
export const readCardBytes = (bytes: Uint8Array, text: string): CardFile => finish(readBytes(bytes, text));

/**
 * Same in slices: `pause` receives the progress, from 0 to 1, and lets other work run when it
 * returns a promise.
 */
export function readCardsInSlices(
  bytes: Uint8Array,
  text: string,
  pause: (read: number) => Promise<void> | null,
): Promise<CardFile> {
  const guesses = { left: GUESSES_MAX };
  return runInSlices(readBytes(bytes, text), pause, work => boundGuesses(work, guesses));
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const FOLD_AT = 75;

/** Returns the number of UTF-8 bytes of a character. */
function sizeOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** Returns a line of at most 75 bytes and its continuations; splits no character. */
function folded(line: string): string {
  if (line.length <= FOLD_AT / 3) return line;
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const character of line) {
    const size = sizeOf(character);
    if (bytes + size > FOLD_AT) {
      pieces.push(piece);
      piece = ' ';
      bytes = 1;
    }
    piece += character;
    bytes += size;
  }
  return [...pieces, piece].join('\r\n');
}

/** Returns lines with a person's groups: usually one, more when it would be very long. */
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

const MODERN: CardSource = { isOld: false, isBytes: false };
const isAddressLine = (line: string): boolean => /^(?:[\w-]+\.)?EMAIL[;:]/i.test(line);

/** Returns lines with a person's addresses, each with the other details of its original line. */
function addressLines(emails: readonly string[], lines: readonly string[]): string[] {
  const said = lines.filter(isAddressLine).flatMap(line => readProperty(line, MODERN) ?? []);
  const own = emails.map((email, index) => {
    const found = said.find(one => addressOf(one) === email);
    const params = (found?.params ?? []).filter(
      ([key, value]) => key !== 'PREF' && !/^(?:internet|pref)$/i.test(value),
    );
    return formatProperty({
      group: found?.group ?? '',
      name: 'EMAIL',
      params: [...params, ['PREF', String(Math.min(index + 1, 100))]],
      value: escaped(email),
    });
  });
  return [...own, ...said.filter(one => !emails.includes(addressOf(one))).map(formatProperty)];
}

/** Returns a vCard 4.0 file of these people. */
export const writeCards = (people: readonly CardPerson[]): string =>
  people
    .map(({ name, emails, note, groups, lines = [] }) =>
      [
        'BEGIN:VCARD',
        'VERSION:4.0',
        `FN:${escaped(name || (emails[0] ?? ''))}`,
        ...addressLines(emails, lines),
        ...(note === '' ? [] : [`NOTE:${escaped(note)}`]),
        ...groupLines(groups),
        ...lines.filter(line => !isAddressLine(line)),
        'END:VCARD',
      ]
        .map(line => `${folded(line)}\r\n`)
        .join(''),
    )
    .join('');

// Imports the entries of a file into the address book; existing contacts keep their data. Pure.
// Iterates over address book and entries once each, because files contain thousands.
import { normalizeAddress } from '@keyfold/mail/address-form';
import { finishSteps, type Steps } from '@keyfold/mail/slices';
import type { CardPerson } from '@keyfold/mail/vcard';
import { BOOK_PEOPLE_MAX, type Book, emptyBook, type Person, withPerson } from '../../session/trust/pins.ts';
import { withGroupsOf } from './groups.ts';

/**
 * Maximum size of an address book after an import, in bytes: the server stores 64 MiB of records,
 * some of them of other kinds.
 */
const BOOK_BYTES_MAX = 40 * 1024 * 1024;
/** Maximum size of one contact in a record, in bytes. */
const PERSON_BYTES_MAX = 180_000;
/** Maximum number of groups created by an import; all groups are in one record. */
const GROUPS_MAX = 1_000;

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length + 1;

export type TakenIn = {
  readonly book: Book;
  /**
   * Counts of addresses that became contacts, that already were contacts, and that exceed the
   * capacity.
   */
  readonly added: number;
  readonly known: number;
  readonly over: number;
  /** Whether the address book changed: contacts without details get the details of the file. */
  readonly isChanged: boolean;
};

/** Returns whether a line of a card contains a file instead of text. */
export const isFileLine = (line: string): boolean => /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY)[;:]/i.test(line);

/** Returns the lines of a card that fit into a record; pictures are dropped first. */
function fittingLines(lines: readonly string[]): readonly string[] {
  if (bytesOf(lines) <= PERSON_BYTES_MAX) return lines;
  const small = lines.filter(line => !isFileLine(line));
  return bytesOf(small) <= PERSON_BYTES_MAX ? small : [];
}

/** Number of entries per slice of work, a few milliseconds. */
const SLICE_PEOPLE = 100;

/** Returns the approximate size of an address book in bytes, never too small. */
function* bookBytes({ people, groups }: Book): Steps<number> {
  let bytes = bytesOf({ ...emptyBook, groups });
  for (const [index, one] of people.entries()) {
    if (index % SLICE_PEOPLE === SLICE_PEOPLE - 1) yield;
    bytes += bytesOf(one);
  }
  return bytes;
}

/**
 * Returns the address book with these entries, one contact per address except the user's own, up to
 * the capacity; new contacts come last.
 */
export function* takeInSteps(
  before: Book,
  people: readonly CardPerson[],
  newId: () => string,
  isOwn: (email: string) => boolean = () => false,
): Steps<TakenIn> {
  const byEmail = new Map<string, Person>();
  for (const one of before.people.toReversed()) byEmail.set(one.email, one);
  let room = BOOK_PEOPLE_MAX - before.people.filter(one => one.isContact).length;
  let roomBytes = BOOK_BYTES_MAX - (yield* bookBytes(before));
  const known = new Set<string>();
  const over = new Set<string>();
  const replaced = new Set<Person>();
  const added = new Map<string, Person>();
  const enriched = new Map<Person, Person>();
  const groups = new Map<string, readonly string[]>();
  const groupNames = new Set(before.groups.map(({ name }) => name));
  for (const [index, card] of people.entries()) {
    if (index % SLICE_PEOPLE === SLICE_PEOPLE - 1) yield;
    const { emails, name, note, groups: allNames, lines: allLines = [] } = card;
    // The card is stored once, with the first of its addresses that is not yet a contact.
    let cardOf = '';
    const lines = allLines.length === 0 ? allLines : fittingLines(allLines);
    const names = allNames.filter(one => groupNames.has(one) || groupNames.size < GROUPS_MAX);
    for (const written of emails) {
      const email = normalizeAddress(written);
      if (added.has(email) || isOwn(email)) continue;
      const old = byEmail.get(email);
      if (old?.isContact === true) {
        known.add(email);
        const isBare = old.lines === undefined && old.cardOf === undefined && !enriched.has(old);
        if (isBare && cardOf === '' && lines.length > 0 && bytesOf(lines) <= roomBytes) {
          roomBytes -= bytesOf(lines);
          enriched.set(old, { ...old, lines });
          cardOf = email;
        }
        continue;
      }
      const alone: Book = { ...emptyBook, people: old === undefined ? [] : [old] };
      const fields = cardOf === '' ? (lines.length === 0 ? {} : { lines }) : { cardOf };
      const [made] = withPerson(alone, email, one => ({
        ...one,
        isContact: true,
        name,
        note,
        ...fields,
      })).people;
      if (made === undefined) continue;
      const cost = bytesOf(made) + names.reduce((sum, one) => sum + bytesOf(one), 0);
      if (room <= 0 || cost > roomBytes) {
        over.add(email);
        continue;
      }
      room -= 1;
      roomBytes -= cost;
      cardOf ||= email;
      if (old !== undefined) replaced.add(old);
      added.set(email, made);
      groups.set(email, names);
      for (const one of names) groupNames.add(one);
    }
  }
  yield;
  const kept = before.people.filter(one => !replaced.has(one)).map(one => enriched.get(one) ?? one);
  const book = withGroupsOf({ ...before, people: [...kept, ...added.values()] }, groups, newId);
  const isChanged = added.size + enriched.size > 0;
  return { book, added: added.size, known: known.size, over: over.size, isChanged };
}

/** The same, synchronously. */
export const takeIn = (...given: Parameters<typeof takeInSteps>): TakenIn =>
  finishSteps(takeInSteps(...given));

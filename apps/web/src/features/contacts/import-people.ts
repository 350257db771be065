// People of a file in the address book: who is a contact already stays as they are. Pure, and goes through book and people
// once each: files name thousands.
import { normalizeAddress } from '@keyfold/mail/address-form';
import { finishSteps, type Steps } from '@keyfold/mail/slices';
import type { CardPerson } from '@keyfold/mail/vcard';
import { BOOK_PEOPLE_MAX, type Book, emptyBook, type Person, withPerson } from '../../session/trust/pins.ts';
import { withGroupsOf } from './groups.ts';

/** Bytes that a book may come to by a file: the server keeps 64 MiB of records, and some are of other kinds. */
const BOOK_BYTES_MAX = 40 * 1024 * 1024;
/** Bytes of one person that a record has room for. */
const PERSON_BYTES_MAX = 180_000;
/** Most groups by a file: these stand in one record. */
const GROUPS_MAX = 1_000;

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length + 1;

export type TakenIn = {
  readonly book: Book;
  /** Addresses that became contacts, those that were contacts already, and those for which the book has no room. */
  readonly added: number;
  readonly known: number;
  readonly over: number;
  /** Whether the book is another one: contacts of whom nothing more was known get what the file says of them. */
  readonly isChanged: boolean;
};

/** Whether a line of a card holds a file and no words. */
export const isFileLine = (line: string): boolean => /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY)[;:]/i.test(line);

/** The lines of a card as far as a record has room for them: pictures go first. */
function fittingLines(lines: readonly string[]): readonly string[] {
  if (bytesOf(lines) <= PERSON_BYTES_MAX) return lines;
  const small = lines.filter(line => !isFileLine(line));
  return bytesOf(small) <= PERSON_BYTES_MAX ? small : [];
}

/** People who are one slice of work: a few milliseconds. */
const SLICE_PEOPLE = 100;

/** Bytes that a book comes to; a few more than it has. */
function* bookBytes({ people, groups }: Book): Steps<number> {
  let bytes = bytesOf({ ...emptyBook, groups });
  for (const [index, one] of people.entries()) {
    if (index % SLICE_PEOPLE === SLICE_PEOPLE - 1) yield;
    bytes += bytesOf(one);
  }
  return bytes;
}

/** The book with these people in it, one contact for each address but one's own, as far as there is room; new ones stand last. */
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
    // The card is kept once, under the first of its addresses that is nobody's yet.
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

/** The same at once. */
export const takeIn = (...given: Parameters<typeof takeInSteps>): TakenIn =>
  finishSteps(takeInSteps(...given));

// People of a file in the address book: who is a contact already stays as they are. Pure, and goes through book and people
// once each: files name thousands.
import { RECORD_B64_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { normaliseAddress } from '@keyfold/mail/address-form';
import type { CardPerson } from '@keyfold/mail/vcard';
import { type Book, bookPeopleMax, emptyBook, type Person, withPerson } from '../../session/pins.ts';
import { withGroupsOf } from './groups.ts';

/** Bytes that a book may come to by a file: what a record holds, without its seal and the pins of some who are written to. */
const bookBytesMax = Math.floor((RECORD_B64_MAX_CHARACTERS * 3) / 4) - 8 * 1024;
/** Bytes of a group in the book beside its name: its id, and names of fields. */
const groupBytes = 65;

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length + 1;

export type TakenIn = {
  readonly book: Book;
  /** Addresses that became contacts, those that were contacts already, and those for which the book has no room. */
  readonly added: number;
  readonly known: number;
  readonly over: number;
};

/** The book with these people in it, one contact for each address but one's own, as far as there is room; new ones stand last. */
export function takeIn(
  before: Book,
  people: readonly CardPerson[],
  newId: () => string,
  isOwn: (email: string) => boolean = () => false,
): TakenIn {
  const byEmail = new Map<string, Person>();
  for (const one of before.people.toReversed()) byEmail.set(one.email, one);
  let room = bookPeopleMax - before.people.filter(one => one.isContact).length;
  let roomBytes = bookBytesMax - bytesOf(before);
  const known = new Set<string>();
  const over = new Set<string>();
  const replaced = new Set<Person>();
  const added = new Map<string, Person>();
  const groups = new Map<string, readonly string[]>();
  const groupNames = new Set(before.groups.map(({ name }) => name));
  for (const { emails, name, note, groups: names } of people)
    for (const written of emails) {
      const email = normaliseAddress(written);
      if (added.has(email) || isOwn(email)) continue;
      const old = byEmail.get(email);
      if (old?.isContact === true) {
        known.add(email);
        continue;
      }
      const alone: Book = { ...emptyBook, people: old === undefined ? [] : [old] };
      const [made] = withPerson(alone, email, one => ({ ...one, isContact: true, name, note })).people;
      if (made === undefined) continue;
      const newGroups = names.filter(one => !groupNames.has(one));
      const cost =
        bytesOf(made) +
        names.length * bytesOf(email) +
        newGroups.reduce((sum, one) => sum + groupBytes + bytesOf(one), 0);
      if (room <= 0 || cost > roomBytes) {
        over.add(email);
        continue;
      }
      room -= 1;
      roomBytes -= cost;
      if (old !== undefined) replaced.add(old);
      added.set(email, made);
      groups.set(email, names);
      for (const one of newGroups) groupNames.add(one);
    }
  const kept = before.people.filter(one => !replaced.has(one));
  const book = withGroupsOf({ ...before, people: [...kept, ...added.values()] }, groups, newId);
  return { book, added: added.size, known: known.size, over: over.size };
}

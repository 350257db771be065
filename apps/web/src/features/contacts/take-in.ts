// People of a file in the address book: who is a contact already stays as they are. Pure, and goes through book and people
// once each: files name thousands.
import { normaliseAddress } from '@keyfold/mail/address-form';
import type { CardPerson } from '@keyfold/mail/vcard';
import { type Book, bookPeopleMax, emptyBook, type Person, withPerson } from '../../session/pins.ts';
import { withGroupsOf } from './groups.ts';

export type TakenIn = {
  readonly book: Book;
  /** Addresses that became contacts, and those that were contacts already. */
  readonly added: number;
  readonly known: number;
};

/** The book with these people in it, one contact for each address, as far as there is room; new ones stand last. */
export function takeIn(before: Book, people: readonly CardPerson[], newId: () => string): TakenIn {
  const byEmail = new Map<string, Person>();
  for (const one of before.people.toReversed()) byEmail.set(one.email, one);
  let room = bookPeopleMax - before.people.filter(one => one.isContact).length;
  let known = 0;
  const replaced = new Set<Person>();
  const added: Person[] = [];
  const groups = new Map<string, readonly string[]>();
  for (const { emails, name, note, groups: names } of people)
    for (const written of emails) {
      const email = normaliseAddress(written);
      const old = byEmail.get(email);
      if (old?.isContact === true) {
        known += 1;
        continue;
      }
      if (room <= 0) continue;
      room -= 1;
      const alone: Book = { ...emptyBook, people: old === undefined ? [] : [old] };
      const { people: made } = withPerson(alone, email, one => ({ ...one, isContact: true, name, note }));
      if (old !== undefined) replaced.add(old);
      for (const one of made) {
        added.push(one);
        byEmail.set(email, one);
      }
      groups.set(email, names);
    }
  const kept = before.people.filter(one => !replaced.has(one));
  const book = withGroupsOf({ ...before, people: [...kept, ...added] }, groups, newId);
  return { book, added: added.length, known };
}

// vCard files in and out of the address book. What is imported brings names and addresses, and no trust: keys are the
// directory's, pinned at their first use.
import { type CardPerson, readCards, writeCards } from '@keyfold/mail/vcard';
import { randomId } from '../../lib/random-id.ts';
import { saveFile } from '../../platform/save-file.ts';
import { changeAddressBook } from '../../session/address-book.ts';
import {
  type Book,
  bookPeopleMax,
  findPerson,
  type Group,
  type Person,
  withPerson,
} from '../../session/pins.ts';
import { groupsOf, withGroupsOf } from './groups.ts';

export type Imported = { readonly added: number; readonly known: number; readonly skipped: number };

/** Puts people into the address book, one contact for each address. Rejects when it does not fit. */
export async function importPeople(people: readonly CardPerson[], skipped: number): Promise<Imported> {
  const wanted = people.flatMap(({ emails, name, note, groups }) =>
    emails.map(email => ({ email, name, note, groups })),
  );
  let [added, known] = [0, 0];
  await changeAddressBook(before => {
    [added, known] = [0, 0];
    const contacts = before.people.filter(one => one.isContact).length;
    return wanted.reduce((book: Book, { email, name, note, groups }) => {
      const old = findPerson(book, email);
      if (old?.isContact === true) {
        known += 1;
        return book;
      }
      if (contacts + added >= bookPeopleMax) return book;
      added += 1;
      const next = withPerson(book, email, one => ({ ...one, isContact: true, name, note }));
      return withGroupsOf(next, email, groups, randomId);
    }, before);
  });
  return { added, known, skipped: skipped + wanted.length - added - known };
}

/** Puts the people of a vCard file into the address book. Rejects when it does not fit. */
export async function importCards(file: Blob): Promise<Imported> {
  const { people, skipped } = readCards(await file.text());
  return importPeople(people, skipped);
}

/** Contacts as files have them, each with its one address. */
export const cardPeopleOf = (people: readonly Person[], groups: readonly Group[]): CardPerson[] =>
  people.map(({ email, name, note }) => ({ name, emails: [email], note, groups: groupsOf(groups, email) }));

/** The text of a vCard file of these people. */
export const cardsOf = (people: readonly Person[], groups: readonly Group[]): string =>
  writeCards(cardPeopleOf(people, groups));

/** Saves a vCard file of these people. */
export function exportCards(people: readonly Person[], groups: readonly Group[]): void {
  saveFile(new Blob([cardsOf(people, groups)]), 'contacts.vcf');
}

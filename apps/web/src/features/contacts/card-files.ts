// vCard files in and out of the address book. What is imported brings names and addresses, and no trust: keys are the
// directory's, pinned at their first use.
import { type CardPerson, readCards, writeCards } from '@keyfold/mail/vcard';
import { randomId } from '../../lib/random-id.ts';
import { saveFile } from '../../platform/save-file.ts';
import { changeAddressBook } from '../../session/address-book.ts';
import type { Group, Person } from '../../session/pins.ts';
import { groupsByEmail } from './groups.ts';
import { takeIn } from './take-in.ts';

export type Imported = { readonly added: number; readonly known: number; readonly skipped: number };

/** Puts people into the address book, one contact for each address. Rejects when it does not fit. */
export async function importPeople(people: readonly CardPerson[], skipped: number): Promise<Imported> {
  let [added, known] = [0, 0];
  await changeAddressBook(before => {
    const taken = takeIn(before, people, randomId);
    ({ added, known } = taken);
    return taken.book;
  });
  const wanted = people.reduce((sum, { emails }) => sum + emails.length, 0);
  return { added, known, skipped: skipped + wanted - added - known };
}

/** Puts the people of a vCard file into the address book. Rejects when it does not fit. */
export async function importCards(file: Blob): Promise<Imported> {
  const { people, skipped } = readCards(await file.text());
  return importPeople(people, skipped);
}

/** Contacts as files have them, each with its one address. */
export function cardPeopleOf(people: readonly Person[], groups: readonly Group[]): CardPerson[] {
  const names = groupsByEmail(groups);
  return people.map(({ email, name, note }) => ({
    name,
    emails: [email],
    note,
    groups: names.get(email) ?? [],
  }));
}

/** The text of a vCard file of these people. */
export const cardsOf = (people: readonly Person[], groups: readonly Group[]): string =>
  writeCards(cardPeopleOf(people, groups));

/** Saves a vCard file of these people. */
export function exportCards(people: readonly Person[], groups: readonly Group[]): void {
  void saveFile(new Blob([cardsOf(people, groups)]), 'contacts.vcf');
}

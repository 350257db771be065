// Import and export of vCard files. An import adds names and addresses, but no trust: keys come
// from the directory and are pinned at first use.
import { runInSlices } from '@keyfold/mail/slices';
import { type CardPerson, readCardsInSlices, writeCards } from '@keyfold/mail/vcard';
import { randomId } from '../../lib/random-id.ts';
import { saveFile } from '../../platform/save-file.ts';
import { changeAddressBook } from '../../session/trust/address-book.ts';
import type { Group, Person } from '../../session/trust/pins.ts';
import { isOwn } from '../../session/trust/recipient-keys.ts';
import { cardPeopleOf } from './card-people.ts';
import { takeInSteps } from './import-people.ts';
import { createWorkPauses } from './work-pauses.ts';

export type Imported = { readonly added: number; readonly known: number; readonly leftOut: number };

/**
 * Adds entries to the address book, one contact per address. `leftOut` entries had no address.
 * Entries that exceed the capacity are also left out.
 */
export async function importPeople(people: readonly CardPerson[], leftOut: number): Promise<Imported> {
  let [added, known, over] = [0, 0, 0];
  await changeAddressBook(async before => {
    const taken = await runInSlices(takeInSteps(before, people, randomId, isOwn), createWorkPauses());
    ({ added, known, over } = taken);
    return taken.isChanged ? taken.book : before;
  });
  return { added, known, leftOut: leftOut + over };
}

/**
 * Adds the entries of a vCard file to the address book. Rejects with RangeError when the file is
 * too large.
 */
export async function importCards(text: string): Promise<Imported> {
  const bytes = new TextEncoder().encode(text);
  const { people, without } = await readCardsInSlices(bytes, text, createWorkPauses());
  return importPeople(people, without.length);
}

/** Returns the text of a vCard file with these contacts. */
export const cardsOf = (people: readonly Person[], groups: readonly Group[]): string =>
  writeCards(cardPeopleOf(people, groups));

/** Saves a vCard file with these contacts. */
export function exportCards(people: readonly Person[], groups: readonly Group[]): void {
  void saveFile(new Blob([cardsOf(people, groups)]), 'contacts.vcf');
}

// Files of contacts, read into what a dialog shows before anything is added; and CSV written beside vCard. Which columns mean
// what is @keyfold/mail's to guess and the reader's to say.
import { type ColumnRole, guessRoles } from '@keyfold/mail/contact-csv/columns';
import {
  ContactCsvError,
  type ContactCsvFault,
  type ContactTable,
  contactTableSteps,
  readContactText,
} from '@keyfold/mail/contact-csv/table';
import { writeContactCsv } from '@keyfold/mail/contact-csv/write';
import { CONTACT_CSV_MAX_BYTES, VCARD_FILE_MAX_CHARACTERS } from '@keyfold/mail/limits';
import { decodeUnlabeled } from '@keyfold/mail/mime/charsets';
import { runInSlices } from '@keyfold/mail/slices';
import { type CardFile, readCardsInSlices } from '@keyfold/mail/vcard';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { saveFile } from '../../platform/save-file.ts';
import type { Group, Person } from '../../session/trust/pins.ts';
import { cardPeopleOf } from './card-people.ts';
import { createWorkPauses } from './work-pauses.ts';

/** A file that was read and waits to be looked through. */
export type CsvFile = {
  readonly name: string;
  readonly table: ContactTable;
  readonly roles: readonly ColumnRole[];
};

function faultText(fault: ContactCsvFault, maxBytes: number): string {
  switch (fault) {
    case 'too_large':
      return t('The file is larger than {size}', { size: formatSize(maxBytes) });
    case 'not_text':
      return t('This is no vCard and no CSV file. From a spreadsheet, save it as CSV first');
    case 'empty':
      return t('The file has no contacts');
    case 'open_quote':
      return t('The file is damaged: a quotation mark is never closed');
  }
}

/** Whether a file is one of vCards, by what stands at its beginning, else by its name. */
export async function isCardFile(file: File): Promise<boolean> {
  const start = decodeUnlabeled(new Uint8Array(await file.slice(0, 256).arrayBuffer()));
  return /^\ufeff?\s*BEGIN:VCARD/i.test(start) || /\.(vcf|vcard)$/i.test(file.name);
}

/** Reads a file of vCards; `tell` hears how much of it is read, from 0 to 1. Rejects with what is wrong with it, in words. */
export async function readCardFile(file: File, tell: (read: number) => void): Promise<CardFile> {
  const fail = (fault: ContactCsvFault) => new Error(faultText(fault, VCARD_FILE_MAX_CHARACTERS));
  if (file.size > VCARD_FILE_MAX_CHARACTERS) throw fail('too_large');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const pauses = createWorkPauses();
  const cards = await readCardsInSlices(bytes, decodeUnlabeled(bytes), read => {
    const pausing = pauses();
    if (pausing !== null) tell(read);
    return pausing;
  });
  if (cards.people.length + cards.without.length === 0) throw fail('empty');
  return cards;
}

/** Reads a CSV file. Rejects with what is wrong with it, in words. */
export async function readCsv(file: File): Promise<CsvFile> {
  try {
    // One byte more than may be is enough to know that it is too many.
    const start = file.slice(0, CONTACT_CSV_MAX_BYTES + 1);
    const text = readContactText(new Uint8Array(await start.arrayBuffer()));
    const table = await runInSlices(contactTableSteps(text), createWorkPauses());
    return { name: file.name, table, roles: guessRoles(table) };
  } catch (error) {
    if (error instanceof ContactCsvError) throw new Error(faultText(error.fault, CONTACT_CSV_MAX_BYTES));
    throw error;
  }
}

/** Saves a CSV file of these people. */
export function exportCsv(people: readonly Person[], groups: readonly Group[]): void {
  void saveFile(new Blob([writeContactCsv(cardPeopleOf(people, groups))]), 'contacts.csv');
}

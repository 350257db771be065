// CSV files in and out of the address book: read into a table that a dialog shows before anything is added, and written
// beside vCard. Which columns mean what is @keyfold/mail's to guess and the reader's to say.
import { type ColumnRole, guessRoles } from '@keyfold/mail/contact-csv/columns';
import { peopleOf, type TablePeople } from '@keyfold/mail/contact-csv/people';
import {
  ContactCsvError,
  type ContactCsvFault,
  type ContactTable,
  readContactTable,
  readContactText,
} from '@keyfold/mail/contact-csv/table';
import { writeContactCsv } from '@keyfold/mail/contact-csv/write';
import { CONTACT_CSV_MAX_BYTES } from '@keyfold/mail/limits';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { saveFile } from '../../platform/save-file.ts';
import { type Book, bookPeopleMax, type Group, type Person } from '../../session/pins.ts';
import { cardPeopleOf } from './card-files.ts';

/** A file that was read and waits to be looked through. */
export type CsvFile = {
  readonly name: string;
  readonly table: ContactTable;
  readonly roles: readonly ColumnRole[];
};

function faultText(fault: ContactCsvFault): string {
  switch (fault) {
    case 'too_large':
      return t('The file is larger than {size}', { size: formatSize(CONTACT_CSV_MAX_BYTES) });
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
  const start = await file.slice(0, 256).text();
  return /^\ufeff?\s*BEGIN:VCARD/i.test(start) || /\.(vcf|vcard)$/i.test(file.name);
}

/** Reads a CSV file. Rejects with what is wrong with it, in words. */
export async function readCsv(file: File): Promise<CsvFile> {
  try {
    // One byte more than may be is enough to know that it is too many.
    const start = file.slice(0, CONTACT_CSV_MAX_BYTES + 1);
    const table = readContactTable(readContactText(new Uint8Array(await start.arrayBuffer())));
    return { name: file.name, table, roles: guessRoles(table) };
  } catch (error) {
    if (error instanceof ContactCsvError) throw new Error(faultText(error.fault));
    throw error;
  }
}

export type CsvPreview = TablePeople & {
  readonly added: number;
  readonly known: number;
  /** Addresses for which the book has no room. */
  readonly over: number;
};

/** What importing a table under these roles would come to. */
export function previewOf(table: ContactTable, roles: readonly ColumnRole[], book: Book): CsvPreview {
  const found = peopleOf(table, roles);
  const contacts = new Set(book.people.flatMap(one => (one.isContact ? [one.email] : [])));
  const emails = new Set(found.people.flatMap(one => one.emails));
  const fresh = [...emails].filter(email => !contacts.has(email)).length;
  const added = Math.min(fresh, Math.max(0, bookPeopleMax - contacts.size));
  return { ...found, added, known: emails.size - fresh, over: fresh - added };
}

/** Saves a CSV file of these people. */
export function exportCsv(people: readonly Person[], groups: readonly Group[]): void {
  void saveFile(new Blob([writeContactCsv(cardPeopleOf(people, groups))]), 'contacts.csv');
}

// Reads contacts files for the preview dialog, and exports CSV in addition to vCard. @keyfold/mail
// guesses the meaning of columns; the user can correct it.
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

/** A parsed file that waits for review. */
export type CsvFile = {
  readonly name: string;
  readonly table: ContactTable;
  readonly roles: readonly ColumnRole[];
};

function faultText(fault: ContactCsvFault, maxBytes: number): string {
  switch (fault) {
    case 'too_large':
      return t('The file is too large. The limit is {size}.', { size: formatSize(maxBytes) });
    case 'not_text':
      return t('Not a vCard or CSV file. If it’s a spreadsheet, save it as CSV first.');
    case 'empty':
      return t('No contacts found in the file');
    case 'open_quote':
      return t('The file is damaged (unclosed quotation mark)');
  }
}

/** Returns whether a file contains vCards, judged by its first bytes, else by its name. */
export async function isCardFile(file: File): Promise<boolean> {
  const start = decodeUnlabeled(new Uint8Array(await file.slice(0, 256).arrayBuffer()));
  return /^\ufeff?\s*BEGIN:VCARD/i.test(start) || /\.(vcf|vcard)$/i.test(file.name);
}

/**
 * Reads a vCard file; `tell` receives the progress from 0 to 1. Rejects with an error message for
 * the user.
 */
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

/** Reads a CSV file. Rejects with an error message for the user. */
export async function readCsv(file: File): Promise<CsvFile> {
  try {
    // One byte over the limit is enough to detect a file that is too large.
    const start = file.slice(0, CONTACT_CSV_MAX_BYTES + 1);
    const text = readContactText(new Uint8Array(await start.arrayBuffer()));
    const table = await runInSlices(contactTableSteps(text), createWorkPauses());
    return { name: file.name, table, roles: guessRoles(table) };
  } catch (error) {
    if (error instanceof ContactCsvError) throw new Error(faultText(error.fault, CONTACT_CSV_MAX_BYTES));
    throw error;
  }
}

/** Saves a CSV file with these contacts. */
export function exportCsv(people: readonly Person[], groups: readonly Group[]): void {
  void saveFile(new Blob([writeContactCsv(cardPeopleOf(people, groups))]), 'contacts.csv');
}

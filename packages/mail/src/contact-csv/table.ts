// Reads a CSV file of contacts as a table: detects the charset, the cell separator and the header
// row. Does not interpret the columns (columns.ts). Cells are plain text and are never evaluated.
/// <reference path="./papaparse.d.ts" />
import papa from 'papaparse';
import { isValidAddress } from '../addresses.ts';
import {
  CONTACT_CSV_CELL_MAX_CHARACTERS,
  CONTACT_CSV_MAX_BYTES,
  CONTACT_CSV_MAX_COLUMNS,
  CONTACT_CSV_MAX_ROWS,
} from '../limits.ts';
import { decodeUnlabeled } from '../mime/charsets.ts';
import { finishSteps, type Steps } from '../slices.ts';

/**
 * Why a file yields no table: too many bytes, not text, no rows, or a quotation mark that is never
 * closed.
 */
export type ContactCsvFault = 'too_large' | 'not_text' | 'empty' | 'open_quote';

/** A file that cannot be read as CSV. */
export class ContactCsvError extends Error {
  override name = 'ContactCsvError';
  readonly fault: ContactCsvFault;
  constructor(fault: ContactCsvFault) {
    super(`Not a CSV file of contacts: ${fault}`);
    this.fault = fault;
  }
}

export type ContactTable = {
  /** Column names; all empty when the first row already is a contact. */
  readonly headers: readonly string[];
  /** Cells of each row, as many as there are headers. */
  readonly rows: readonly (readonly string[])[];
  /** Whether the file has more rows than are read. */
  readonly isCut: boolean;
};

/** Decodes a file in any charset. Throws ContactCsvError when it is too large or not text. */
export function readContactText(bytes: Uint8Array): string {
  if (bytes.length > CONTACT_CSV_MAX_BYTES) throw new ContactCsvError('too_large');
  const text = decodeUnlabeled(bytes);
  if (/[^\P{Cc}\t\n\v\f\r\u0080-\u009f]/u.test(text)) throw new ContactCsvError('not_text');
  return text;
}

const separators = [',', ';', '\t'] as const;

/**
 * Finds the cell separator: the one that Excel's first line states, else the one that yields the
 * most columns in the first rows.
 */
function separatorOf(text: string): { separator: string; body: string } {
  const said = /^sep=([,;\t])(?:\r\n|\r|\n)/i.exec(text);
  if (said !== null) return { separator: said[1] ?? ',', body: text.slice(said[0].length) };
  const widths = separators.map(separator => {
    const [head = []] = papa.parse(text, {
      delimiter: separator,
      preview: 1,
      skipEmptyLines: 'greedy',
      fastMode: false,
    }).data;
    return { separator, width: head.length };
  });
  const best = widths.reduce((a, b) => (b.width > a.width ? b : a));
  return { separator: best.separator, body: text };
}

/**
 * Cuts a cell to the maximum length: at a blank if there is one nearby, so that half an address is
 * not read as a whole one.
 */
function cutCell(cell: string): string {
  if (cell.length <= CONTACT_CSV_CELL_MAX_CHARACTERS) return cell;
  const kept = cell.slice(0, CONTACT_CSV_CELL_MAX_CHARACTERS);
  const gap = Math.max(...[' ', '\n', ',', ';'].map(sign => kept.lastIndexOf(sign)));
  return gap > kept.length / 2 ? kept.slice(0, gap) : kept;
}

/** Rows and cells per slice of work: some milliseconds. */
const SLICE_ROWS = 100;
const SLICE_CELLS = 5_000;
const EMPTY_ROWS = 20_000;

/** Reads the non-empty rows: one more than are used, plus a possible header row. */
function* rowsOf(text: string): Steps<string[][]> {
  const { separator, body } = separatorOf(text);
  yield;
  const rows: string[][] = [];
  let newline: string | undefined;
  let preview = SLICE_ROWS;
  for (let at = 0; at < body.length && rows.length < CONTACT_CSV_MAX_ROWS + 2; ) {
    const { data, errors, meta } = papa.parse(body.slice(at), {
      delimiter: separator,
      preview,
      skipEmptyLines: 'greedy',
      // Fast mode would split all remaining text for each slice.
      fastMode: false,
      ...(newline === undefined ? {} : { newline }),
    });
    if (errors.some(({ code }) => code === 'MissingQuotes')) throw new ContactCsvError('open_quote');
    for (const row of data) rows.push(row.slice(0, CONTACT_CSV_MAX_COLUMNS));
    if (!meta.truncated || meta.cursor === 0) break;
    at += meta.cursor;
    newline = meta.linebreak;
    // Empty rows are cheap, and there may be millions.
    preview = data.length < preview / 2 ? Math.min(2 * preview, EMPTY_ROWS) : SLICE_ROWS;
    yield;
  }
  return rows.slice(0, CONTACT_CSV_MAX_ROWS + 2);
}

/** Returns the table of a file's text, in steps. Throws ContactCsvError. */
export function* contactTableSteps(text: string): Steps<ContactTable> {
  const data = yield* rowsOf(text.replace(/^\ufeff/, ''));
  const first = data[0]?.map(cutCell);
  if (first === undefined) throw new ContactCsvError('empty');
  const hasHeaders = !first.some(cell => isValidAddress(cell.trim().toLowerCase()));
  const found = hasHeaders ? data.slice(1) : data;
  if (found.length === 0) throw new ContactCsvError('empty');
  const width = found
    .slice(0, CONTACT_CSV_MAX_ROWS)
    .reduce((most, row) => Math.max(most, row.length), first.length);
  const columns = Array.from({ length: width }, (_, index) => index);
  const rows: string[][] = [];
  for (const row of found.slice(0, CONTACT_CSV_MAX_ROWS)) {
    rows.push(columns.map(index => cutCell(row[index] ?? '')));
    if (rows.length % Math.ceil(SLICE_CELLS / width) === 0) yield;
  }
  return {
    headers: columns.map(index => (hasHeaders ? (first[index] ?? '').trim() : '')),
    rows,
    isCut: found.length > rows.length,
  };
}

/** Same as {@link contactTableSteps}, in one go. */
export const readContactTable = (text: string): ContactTable => finishSteps(contactTableSteps(text));

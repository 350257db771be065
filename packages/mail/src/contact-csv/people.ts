// Extracts the people from a table according to the roles of its columns.
import { isValidAddress } from '../addresses.ts';
import { oneLine, severalLines } from '../card-text.ts';
import { CONTACT_FILE_GROUPS_MAX, CONTACT_LIST_MAX_PIECES, VCARD_TEXT_MAX_CHARACTERS } from '../limits.ts';
import { finishSteps, type Steps } from '../slices.ts';
import type { CardPerson } from '../vcard.ts';
import { type ColumnRole, plainOf } from './columns.ts';
import { linesOfRow, typeOf } from './details.ts';
import { withoutGuards } from './guard.ts';
import type { ContactTable } from './table.ts';

export type TablePeople = {
  readonly people: readonly CardPerson[];
  /** Rows without an address: the 1-based row number, and the name or other text in the row. */
  readonly without: readonly { readonly row: number; readonly name: string }[];
  /** Whether there are more groups than are examined. */
  readonly isCut: boolean;
};

/**
 * Yields the addresses in a cell: Google separates them with ` ::: `, others with commas,
 * semicolons or lines; names next to them are dropped.
 */
function* addressesIn(cell: string): Generator<string> {
  for (const piece of cell.split(/:::|[\s;,<>"()]+/, CONTACT_LIST_MAX_PIECES)) {
    const address = piece.replace(/^mailto:/i, '').toLowerCase();
    if (address.includes('@') && isValidAddress(address)) yield address;
  }
}

/** Groups that Google creates for every user. */
const madeGroup = /^\* ?(my ?contacts|other ?contacts|starred.*)$/i;

/** Groups that may still be examined, over all rows of a table. */
type Room = { groups: number };

function groupsIn(cells: readonly string[], room: Room): string[] {
  const found = new Set<string>();
  for (const cell of cells) {
    const separator = cell.includes(':::') || cell.startsWith('*') ? ':::' : /[;,\n]/;
    for (const piece of cell.split(separator, room.groups)) {
      room.groups -= 1;
      const name = oneLine(piece);
      const plain = madeGroup.test(name) ? '' : name.replace(/^\* /, '');
      if (plain !== '') found.add(plain);
    }
  }
  return [...found];
}

/**
 * Returns the first distinct values in the cells, up to a maximum; only a few cells are read, since
 * a row can have hundreds.
 */
function firstOf(cells: readonly string[], read: (cell: string) => Iterable<string>, most: number): string[] {
  const found = new Set<string>();
  for (const cell of cells.slice(0, most))
    for (const one of read(cell)) {
      found.add(one);
      if (found.size === most) return [...found];
    }
  return [...found];
}

/** Cells per slice of work: some milliseconds. */
const SLICE_CELLS = 2_000;

/**
 * Returns the people of a table under these roles, one for each row that has an address; in steps.
 */
export function* peopleSteps(
  { headers, rows }: ContactTable,
  roles: readonly ColumnRole[],
): Steps<TablePeople> {
  const sliceRows = Math.ceil(SLICE_CELLS / Math.max(1, headers.length));
  const columns = headers.map((header, index) => {
    const plain = plainOf(header);
    return { header, plain, role: roles[index] ?? 'none', types: typeOf(plain) };
  });
  const people: CardPerson[] = [];
  const without: { row: number; name: string }[] = [];
  const room: Room = { groups: CONTACT_FILE_GROUPS_MAX };
  for (const [index, row] of rows.entries()) {
    if (index % sliceRows === sliceRows - 1) yield;
    const cells = row.map(withoutGuards);
    const of = (role: ColumnRole): string[] =>
      cells.filter((cell, column) => roles[column] === role && cell.trim() !== '');
    const joined = ['given_name', 'middle_name', 'family_name'] as const;
    const name =
      [
        of('full_name')[0] ?? '',
        joined.flatMap(role => of(role)[0] ?? []).join(' '),
        of('nickname')[0] ?? '',
        of('company')[0] ?? '',
      ]
        .map(oneLine)
        .find(text => text !== '') ?? '';
    const emails = firstOf(of('email'), addressesIn, VCARD_TEXT_MAX_CHARACTERS.emails);
    if (emails.length === 0) {
      const shown = name || oneLine(cells.find(cell => cell.trim() !== '') ?? '');
      without.push({ row: index + 1, name: shown });
      continue;
    }
    const lines = linesOfRow(columns, cells);
    people.push({
      name,
      emails,
      note: severalLines(of('note').join('\n')),
      groups: groupsIn(of('groups'), room),
      ...(lines.length === 0 ? {} : { lines }),
    });
  }
  return { people, without, isCut: room.groups <= 0 };
}

/** Same as {@link peopleSteps}, in one go. */
export const peopleOf = (table: ContactTable, roles: readonly ColumnRole[]): TablePeople =>
  finishSteps(peopleSteps(table, roles));

// The people of a table, as its columns are said to mean.
import { isValidAddress } from '../addresses.ts';
import { oneLine, severalLines } from '../card-text.ts';
import { VCARD_TEXT_MAX_CHARACTERS } from '../limits.ts';
import type { CardPerson } from '../vcard.ts';
import type { ColumnRole } from './columns.ts';
import type { ContactTable } from './table.ts';

export type TablePeople = {
  readonly people: readonly CardPerson[];
  /** Rows without an address: the name of each, or what else stands in it; by the number of the row, from 1. */
  readonly without: readonly { readonly row: number; readonly name: string }[];
};

/** What spreadsheets, and our own export, put before a cell that could be taken for a formula. */
const withoutGuard = (cell: string): string => cell.replace(/^'(?='*[=+\-@\t\r\n＝＋－＠])/, '');

/** Addresses of a cell: Google parts them by ` ::: `, others by commas, semicolons or lines; names beside them are dropped. */
const addressesIn = (cell: string): string[] =>
  cell
    .split(/:::|[\s;,<>"()]+/)
    .map(piece => piece.replace(/^mailto:/i, '').toLowerCase())
    .filter(isValidAddress);

/** Groups that Google makes for everybody. */
const madeGroup = /^\* ?(my ?contacts|other ?contacts|starred.*)$/i;

const groupsIn = (cell: string): string[] =>
  cell
    .split(cell.includes(':::') || cell.startsWith('*') ? ':::' : /[;,\n]/)
    .map(oneLine)
    .filter(name => !madeGroup.test(name))
    .map(name => name.replace(/^\* /, ''))
    .filter(name => name !== '');

/** The people of a table under these roles, one for each row that has an address. */
export function peopleOf({ rows }: ContactTable, roles: readonly ColumnRole[]): TablePeople {
  const people: CardPerson[] = [];
  const without: { row: number; name: string }[] = [];
  for (const [index, row] of rows.entries()) {
    const cells = row.map(withoutGuard);
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
    const emails = [...new Set(of('email').flatMap(addressesIn))];
    if (emails.length === 0) {
      const shown = name || oneLine(cells.find(cell => cell.trim() !== '') ?? '');
      without.push({ row: index + 1, name: shown });
      continue;
    }
    people.push({
      name,
      emails: emails.slice(0, VCARD_TEXT_MAX_CHARACTERS.emails),
      note: severalLines(of('note').join('\n')),
      groups: [...new Set(of('groups').flatMap(groupsIn))],
    });
  }
  return { people, without };
}

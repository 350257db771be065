// Writes contacts as CSV with the column names of Google Contacts, which other programs import too.
/// <reference path="./papaparse.d.ts" />
import papa from 'papaparse';
import { addressPartsOf, type CardDetail, type DetailKind, detailsOf } from '../card-details.ts';
import type { CardPerson } from '../vcard.ts';
import { FORMULA, withInnerGuards } from './guard.ts';

type Row = { readonly person: CardPerson; readonly details: readonly CardDetail[] };

/** Repeated columns for one kind of detail, as many as the contact with the most needs. */
type Repeated = {
  readonly kind: DetailKind;
  readonly heads: (number: number) => readonly string[];
  readonly cells: (detail: CardDetail, person: CardPerson) => readonly string[];
};

const REPEATED: readonly Repeated[] = [
  {
    kind: 'phone',
    heads: number => [`Phone ${number} - Label`, `Phone ${number} - Value`],
    cells: ({ label, text }) => [label, text],
  },
  {
    kind: 'address',
    heads: number =>
      ['Label', 'Street', 'City', 'Region', 'Postal Code', 'Country'].map(
        part => `Address ${number} - ${part}`,
      ),
    cells: ({ at, label }, { lines = [] }) => [label, ...addressPartsOf(lines[at] ?? '')],
  },
  { kind: 'birthday', heads: () => ['Birthday'], cells: ({ text }) => [text] },
  { kind: 'company', heads: () => ['Organization Name'], cells: ({ text }) => [text] },
  { kind: 'title', heads: () => ['Organization Title'], cells: ({ text }) => [text] },
  { kind: 'site', heads: number => [`Website ${number} - Value`], cells: ({ text }) => [text] },
  {
    kind: 'other',
    heads: number => [`Custom Field ${number} - Label`, `Custom Field ${number} - Value`],
    cells: ({ label, text }) => [label, text],
  },
];

/** Maximum number of repetitions of a column. */
const REPEAT_MAX = 20;
const isOnce = (kind: DetailKind): boolean => kind === 'birthday' || kind === 'company' || kind === 'title';

/**
 * Returns a CSV file of these people: comma-separated UTF-8 with a byte order mark, so that Excel
 * detects the encoding. Text that spreadsheets would run as a formula is guarded (guard.ts).
 */
export function writeContactCsv(people: readonly CardPerson[]): string {
  const rows = people.map((person): Row => ({ person, details: detailsOf(person.lines ?? []) }));
  const most = people.reduce((count, { emails }) => Math.max(count, emails.length), 1);
  const emailColumns = Array.from({ length: most }, (_, index) => index);
  const repeated = REPEATED.map(one => {
    const counts = rows.map(({ details }) => details.filter(({ kind }) => kind === one.kind).length);
    const count = counts.reduce((a, b) => Math.max(a, b), 0);
    return { ...one, count: Math.min(count, isOnce(one.kind) ? 1 : REPEAT_MAX) };
  });
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const head = [
    'Name',
    ...emailColumns.map(index => `E-mail ${index + 1} - Value`),
    ...repeated.flatMap(({ count, heads }) => numbers(count).flatMap(heads)),
    'Notes',
    'Labels',
  ];
  const cells = rows.map(({ person, details }) => [
    person.name,
    ...emailColumns.map(index => person.emails[index] ?? ''),
    ...repeated.flatMap(one => {
      const own = details.filter(({ kind }) => kind === one.kind);
      return numbers(one.count).flatMap(number => {
        const detail = own[number - 1];
        return detail === undefined ? one.heads(number).map(() => '') : one.cells(detail, person);
      });
    }),
    person.note,
    // Google's own group marks the cell as separated by ":::", so that names may contain commas.
    person.groups.length === 0
      ? ''
      : [...person.groups.map(group => group.replaceAll(':::', '::')), '* myContacts'].join(' ::: '),
  ]);
  const text = papa.unparse([head, ...cells.map(row => row.map(withInnerGuards))], {
    escapeFormulae: FORMULA,
    newline: '\r\n',
  });
  return `\ufeff${text}\r\n`;
}

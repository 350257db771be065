// Contacts as CSV, under the names of columns that Google Contacts uses; what others import too.
/// <reference path="./papaparse.d.ts" />
import papa from 'papaparse';
import type { CardPerson } from '../vcard.ts';

/**
 * A CSV file of these people: UTF-8 with a byte order mark, so that Excel reads its letters, and commas. A cell that begins
 * with = + - @, their wide forms or a control character would be run as a formula by spreadsheets, so it gets an
 * apostrophe before it, as does one that begins with apostrophes and then such a sign; reading takes one away again.
 */
export function writeContactCsv(people: readonly CardPerson[]): string {
  const most = people.reduce((count, { emails }) => Math.max(count, emails.length), 1);
  const emailColumns = Array.from({ length: most }, (_, index) => index);
  const head = ['Name', ...emailColumns.map(index => `E-mail ${index + 1} - Value`), 'Notes', 'Labels'];
  const rows = people.map(({ name, emails, note, groups }) => [
    name,
    ...emailColumns.map(index => emails[index] ?? ''),
    note,
    // Google's own group marks the cell as one that is parted by ":::", so that names may have commas.
    groups.length === 0
      ? ''
      : [...groups.map(group => group.replaceAll(':::', '::')), '* myContacts'].join(' ::: '),
  ]);
  const text = papa.unparse([head, ...rows], {
    escapeFormulae: /^'*[=+\-@\t\r\n＝＋－＠]/,
    newline: '\r\n',
  });
  return `\ufeff${text}\r\n`;
}

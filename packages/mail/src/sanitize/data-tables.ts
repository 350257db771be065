// Which tables of a mail or of a clipboard are tables to a reader, and which only place things on a page: the first stay
// tables in an editor, each cell of the others becomes a block of its own. Works on clean trees, before their styles go.
import { readStyle } from './plain-style.ts';

/** Rows that are looked at for borders: those of a long table are alike. */
const ROWS_LOOKED_AT = 20;

const LINE = /\b(?:solid|dashed|dotted|double|inset|outset|ridge|groove)\b/;

const hasBorder = (element: Element, styleName: string): boolean =>
  [...readStyle(element.getAttribute(styleName) ?? '')].some(
    ([name, value]) =>
      name.startsWith('border') && LINE.test(value) && !/(?:^|\s)0(?:px|pt)?(?:\s|$)/.test(value),
  );

const hasMany = (rows: readonly HTMLTableRowElement[], least: number): boolean =>
  rows.some(row => row.cells.length >= least);

/** An editor makes a map of every place of a table's grid: a table with more of them is taken apart. */
const PLACES_MAX = 200_000;
/** No program has more columns or rows; browsers and the editor read no larger span. */
const SPAN_MAX = 1_000;

const spanOf = (cell: Element, name: 'colspan' | 'rowspan'): number =>
  Math.min(SPAN_MAX, Math.max(1, Number.parseInt(cell.getAttribute(name) ?? '', 10) || 1));

/** Places of the grid that its widest row, with the cells that reach into it from above, makes of a table. */
export function gridPlaces(rows: readonly HTMLTableRowElement[]): number {
  // What each row has more of than the one above it.
  const more = new Array<number>(rows.length + 1).fill(0);
  for (const [at, row] of rows.entries())
    for (const cell of row.cells) {
      const end = Math.min(rows.length, at + spanOf(cell, 'rowspan'));
      more[at] = (more[at] ?? 0) + spanOf(cell, 'colspan');
      more[end] = (more[end] ?? 0) - spanOf(cell, 'colspan');
    }
  let width = 0;
  let widest = 0;
  for (const change of more) {
    width += change;
    widest = Math.max(widest, width);
  }
  return widest * rows.length;
}

/** Whether people would call it a table. What somebody copies alone is one more often than what a mail holds. */
function isDataTable(table: HTMLTableElement, styleName: string, isPasted: boolean): boolean {
  if (/^(?:presentation|none)$/i.test(table.getAttribute('role') ?? '')) return false;
  const rows = [...table.rows];
  if (gridPlaces(rows) > PLACES_MAX) return false;
  if (rows.length < 2 && !hasMany(rows, 2)) return false;
  if (Number(table.getAttribute('border')) > 0) return true;
  const first = rows.slice(0, ROWS_LOOKED_AT);
  if (first.some(row => [...row.cells].some(cell => hasBorder(cell, styleName)))) return true;
  const isNested = table.querySelector('table') !== null || table.parentElement?.closest('table') != null;
  if (isNested || !hasMany(rows, 2)) return false;
  return isPasted || table.querySelector('th') !== null;
}

/** An element under another name, with what it held. */
function renamed(element: Element, name: string): void {
  const next = element.ownerDocument.createElement(name);
  next.append(...element.childNodes);
  element.replaceWith(next);
}

/** Takes the tables apart that only place things; the others lose their empty filling. */
export function keepDataTables(box: HTMLElement, styleName: string, isPasted: boolean): void {
  const layout = [...box.querySelectorAll('table')].filter(table => !isDataTable(table, styleName, isPasted));
  for (const table of layout) {
    const caption = table.caption;
    const parts = [...table.rows].flatMap(row => [...row.cells]);
    const blocks = caption === null ? parts : [caption, ...parts];
    const place = table.ownerDocument.createElement('div');
    place.append(...blocks);
    table.replaceWith(place);
    for (const block of blocks) renamed(block, 'div');
  }
  for (const caption of box.querySelectorAll('table > caption')) {
    caption.parentElement?.before(caption);
    renamed(caption, 'p');
  }
  // Office programs end a table with a row that only says how wide columns are.
  for (const row of box.querySelectorAll('tr[height="0"]'))
    if ((row.textContent ?? '').trim() === '' && row.querySelector('img') === null) row.remove();
  for (const cell of box.querySelectorAll('td, th')) {
    const side = readStyle(cell.getAttribute(styleName) ?? '').get('text-align');
    if (side === 'right' || side === 'center') cell.setAttribute('align', side);
    // They fill empty cells with a blank.
    if (/^[\s\u00a0]+$/.test(cell.textContent ?? '') && cell.querySelector('img') === null)
      cell.replaceChildren();
  }
}

// Distinguishes data tables in a message or clipboard from layout tables. Data tables stay tables
// in an editor; each cell of a layout table becomes its own block. Works on clean trees, before
// their styles are removed.
import { readStyle } from './plain-style.ts';

/** Number of rows examined for borders: the rows of a long table are alike. */
const ROWS_LOOKED_AT = 20;

const LINE = /\b(?:solid|dashed|dotted|double|inset|outset|ridge|groove)\b/;

const hasBorder = (element: Element, styleName: string): boolean =>
  [...readStyle(element.getAttribute(styleName) ?? '')].some(
    ([name, value]) =>
      name.startsWith('border') && LINE.test(value) && !/(?:^|\s)0(?:px|pt)?(?:\s|$)/.test(value),
  );

const hasMany = (rows: readonly HTMLTableRowElement[], least: number): boolean =>
  rows.some(row => row.cells.length >= least);

/** An editor maps every cell position of a table's grid: a table with more of them is dissolved. */
const PLACES_MAX = 200_000;
/** No program has more columns or rows; browsers and the editor accept no larger span. */
const SPAN_MAX = 1_000;

const spanOf = (cell: Element, name: 'colspan' | 'rowspan'): number =>
  Math.min(SPAN_MAX, Math.max(1, Number.parseInt(cell.getAttribute(name) ?? '', 10) || 1));

/**
 * Returns the number of grid positions of a table, computed from its widest row including cells
 * that extend into it from above.
 */
export function gridPlaces(rows: readonly HTMLTableRowElement[]): number {
  // Difference in width between each row and the one above it.
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

/**
 * Reports whether people would call it a table. A table copied on its own is one more often than a
 * table in a message.
 */
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

/** Replaces an element with one of another name and keeps its content. */
function renamed(element: Element, name: string): void {
  const next = element.ownerDocument.createElement(name);
  next.append(...element.childNodes);
  element.replaceWith(next);
}

/** Dissolves layout tables; data tables lose their empty filler content. */
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
  // Office programs end a table with a row that only sets column widths.
  for (const row of box.querySelectorAll('tr[height="0"]'))
    if ((row.textContent ?? '').trim() === '' && row.querySelector('img') === null) row.remove();
  for (const cell of box.querySelectorAll('td, th')) {
    const side = readStyle(cell.getAttribute(styleName) ?? '').get('text-align');
    if (side === 'right' || side === 'center') cell.setAttribute('align', side);
    // Office programs fill empty cells with a blank.
    if (/^[\s\u00a0]+$/.test(cell.textContent ?? '') && cell.querySelector('img') === null)
      cell.replaceChildren();
  }
}

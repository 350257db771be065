// Renders a table as lines of plain text: aligned columns where they fit into a line of a message,
// else tab-separated cells, which spreadsheets can import. Pure.

/** A cell with its text; a position covered by another cell has none. */
export type TextCell = {
  readonly text: string;
  readonly colspan: number;
  readonly rowspan: number;
  readonly isRight: boolean;
};

/** Maximum length of a line that mail programs leave unwrapped. */
const LINE_MAX = 76;
const gap = '  ';

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u;

const plain = /^[ -~]*$/;

/** Returns the width of a text in terminal columns. */
const widthOf = (text: string): number =>
  plain.test(text)
    ? text.length
    : [...text].reduce((sum, char) => sum + (/\p{M}/u.test(char) ? 0 : wide.test(char) ? 2 : 1), 0);

type Place = { readonly cell: TextCell; readonly column: number };

/** Assigns a column to each cell of each row: cells that span rows from above shift the others. */
function placed(rows: readonly (readonly TextCell[])[]): Place[][] {
  const covered: number[] = [];
  return rows.map(row => {
    let column = 0;
    const places: Place[] = [];
    const next: { readonly column: number; readonly rows: number }[] = [];
    for (const cell of row) {
      while ((covered[column] ?? 0) > 0) column++;
      places.push({ cell, column });
      for (let index = 0; index < cell.colspan; index++)
        next.push({ column: column + index, rows: cell.rowspan });
      column += cell.colspan;
    }
    for (const [index, left] of covered.entries()) covered[index] = Math.max(0, (left ?? 0) - 1);
    for (const one of next) covered[one.column] = Math.max(covered[one.column] ?? 0, one.rows - 1);
    return places;
  });
}

function tabbed(row: readonly Place[]): string {
  const cells: string[] = [];
  for (const { cell, column } of row) cells[column] = cell.text;
  return Array.from(cells, text => text ?? '')
    .join('\t')
    .trimEnd();
}

function aligned(row: readonly Place[], widths: readonly number[], starts: readonly number[]): string {
  let line = '';
  for (const { cell, column } of row) {
    const start = starts[column] ?? 0;
    const space = ' '.repeat(Math.max(0, start - widthOf(line)));
    const room = cell.isRight && cell.colspan === 1 ? (widths[column] ?? 0) - widthOf(cell.text) : 0;
    line += `${space}${' '.repeat(Math.max(0, room))}${cell.text}`;
  }
  return line.trimEnd();
}

/** Returns the rows of a table, one line each. */
export function tableLines(rows: readonly (readonly TextCell[])[]): string[] {
  const places = placed(rows);
  const widths: number[] = [];
  for (const { cell, column } of places.flat()) {
    const width = cell.colspan === 1 ? widthOf(cell.text) : 0;
    for (let index = column; index < column + cell.colspan; index++)
      widths[index] = Math.max(widths[index] ?? 0, index === column ? width : 0);
  }
  // A cell that spans several columns and is wider than they are would push the next cell out of
  // its column.
  const spansFit = places.flat().every(({ cell, column }) => {
    const own = widths.slice(column, column + cell.colspan);
    return widthOf(cell.text) <= own.reduce((sum, width) => sum + width, gap.length * (own.length - 1));
  });
  const total = widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));
  if (!spansFit || total > LINE_MAX) return places.map(tabbed);
  const starts: number[] = [];
  widths.reduce((start, width, column) => {
    starts[column] = start;
    return start + width + gap.length;
  }, 0);
  return places.map(row => aligned(row, widths, starts));
}

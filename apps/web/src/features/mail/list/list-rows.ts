// Presents the rows of all pages of a list as one sequence. Does not copy them: otherwise a list of
// a hundred thousand rows that grows by fifty would leave megabytes of garbage each time.
import { idOf, isPresent, type ListRow, type MailRowData } from '../state/mail-cache.ts';

/** Access to the rows of a list by index and by message id. */
export type ListRows = {
  readonly length: number;
  /** Number of rows that are kept in full. */
  readonly presentCount: number;
  idAt(index: number): string | null;
  /** Returns the index of a message, or -1 when it is not in the list. */
  indexOf(id: string | null): number;
  /** Returns the row of a message, if it is kept in full. */
  find(id: string | null): MailRowData | undefined;
  slice(first: number, end: number): ListRow[];
  /** Returns the ids from `first` up to, but not including, `end`. */
  idsBetween(first: number, end: number): string[];
  /** Returns the nearest accepted message from an index on, in direction `step`, or null. */
  walk(from: number, step: 1 | -1, accepts: (id: string) => boolean): string | null;
  /** Returns the accepted ids, in list order. */
  idsWhere(accepts: (id: string) => boolean): string[];
  /** Returns the accepted rows that are kept in full, in list order. */
  presentWhere(accepts: (id: string) => boolean): MailRowData[];
};

/** Creates the sequence of these pages. */
export function createListRows(pages: readonly { readonly rows: readonly ListRow[] }[]): ListRows {
  const starts: number[] = [];
  let length = 0;
  for (const { rows } of pages) {
    starts.push(length);
    length += rows.length;
  }
  /** Returns the number of the page that contains this index. */
  const pageOf = (index: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const at = (index: number): ListRow | undefined => {
    if (index < 0 || index >= length) return undefined;
    const page = pageOf(index);
    return pages[page]?.rows[index - (starts[page] ?? 0)];
  };
  const indexOf = (id: string | null): number => {
    if (id === null) return -1;
    for (const [page, { rows }] of pages.entries()) {
      const place = rows.findIndex(row => idOf(row) === id);
      if (place >= 0) return (starts[page] ?? 0) + place;
    }
    return -1;
  };
  const slice = (first: number, end: number): ListRow[] => {
    const rows: ListRow[] = [];
    for (let index = Math.max(0, first); index < Math.min(end, length); index++) {
      const row = at(index);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  };
  const idAt = (index: number): string | null => {
    const row = at(index);
    return row === undefined ? null : idOf(row);
  };
  const pick = <Row>(choose: (row: ListRow) => Row | null): Row[] => {
    const chosen: Row[] = [];
    for (const { rows } of pages)
      for (const row of rows) {
        const one = choose(row);
        if (one !== null) chosen.push(one);
      }
    return chosen;
  };
  return {
    length,
    presentCount: pages.reduce(
      (sum, { rows }) => sum + (rows.every(isPresent) ? rows.length : rows.filter(isPresent).length),
      0,
    ),
    idAt,
    indexOf,
    find: id => {
      const row = at(indexOf(id));
      return row !== undefined && isPresent(row) ? row : undefined;
    },
    slice,
    idsBetween: (first, end) => slice(first, end).map(idOf),
    walk: (from, step, accepts) => {
      for (let index = from; index >= 0 && index < length; index += step) {
        const id = idAt(index);
        if (id !== null && accepts(id)) return id;
      }
      return null;
    },
    idsWhere: accepts => pick(row => (accepts(idOf(row)) ? idOf(row) : null)),
    presentWhere: accepts => pick(row => (isPresent(row) && accepts(row.mail.id) ? row : null)),
  };
}

// The rows of a list, page after page, seen as one sequence. Nothing is copied: a list of a hundred thousand rows that
// grows by fifty would otherwise leave megabytes to collect each time.
import { idOf, isPresent, type ListRow, type MailRowData } from '../state/mail-cache.ts';

/** Rows of a list by their place and by their mail. */
export type ListRows = {
  readonly length: number;
  /** How many of them are kept whole. */
  readonly presentCount: number;
  idAt(index: number): string | null;
  /** The place of a mail; -1 when it is not in the list. */
  indexOf(id: string | null): number;
  /** The row of a mail, if it is kept whole. */
  find(id: string | null): MailRowData | undefined;
  slice(first: number, end: number): ListRow[];
  /** The ids from one place up to but not with another. */
  idsBetween(first: number, end: number): string[];
  /** The nearest mail from a place on, going by `step`, that is accepted; null when there is none. */
  walk(from: number, step: 1 | -1, accepts: (id: string) => boolean): string | null;
  /** The ids that are accepted, in their order. */
  idsWhere(accepts: (id: string) => boolean): string[];
  /** The rows kept whole whose mail is accepted, in their order. */
  presentWhere(accepts: (id: string) => boolean): MailRowData[];
};

/** The sequence of these pages. */
export function createListRows(pages: readonly { readonly rows: readonly ListRow[] }[]): ListRows {
  const starts: number[] = [];
  let length = 0;
  for (const { rows } of pages) {
    starts.push(length);
    length += rows.length;
  }
  /** The number of the page that has this place. */
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

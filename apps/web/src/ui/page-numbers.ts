// Which pages a row of page buttons names. docs/spec-map.md 9.02: at most five.

const SHOWN_MAX = 5;

/** Up to five numbers around the page, from 1 to `pages`. */
export function pageNumbers(page: number, pages: number): number[] {
  const count = Math.min(SHOWN_MAX, Math.max(1, pages));
  const first = Math.min(Math.max(1, page - Math.floor(SHOWN_MAX / 2)), Math.max(1, pages - count + 1));
  return Array.from({ length: count }, (_, index) => first + index);
}

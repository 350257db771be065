// Which pages a row of page buttons names. docs/spec-map.md 9.02: at most five.

const shownMax = 5;

/** Up to five numbers around the page, from 1 to `pages`. */
export function pageNumbers(page: number, pages: number): number[] {
  const count = Math.min(shownMax, Math.max(1, pages));
  const first = Math.min(Math.max(1, page - Math.floor(shownMax / 2)), Math.max(1, pages - count + 1));
  return Array.from({ length: count }, (_, index) => first + index);
}

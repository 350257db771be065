import { expect, test } from 'vitest';
import { gridPlaces } from './data-tables.ts';

/** Rows of cells, each [colspan, rowspan]. */
const rowsOf = (...rows: (readonly [number, number])[][]): HTMLTableRowElement[] =>
  rows.map(cells => ({
    cells: cells.map(([colspan, rowspan]) => ({
      getAttribute: (name: string) => String(name === 'colspan' ? colspan : rowspan),
    })),
  })) as unknown as HTMLTableRowElement[];

test('the grid is as wide as its widest row, including row spans', () => {
  expect(gridPlaces(rowsOf())).toBe(0);
  expect(
    gridPlaces(
      rowsOf(
        [
          [1, 1],
          [1, 1],
        ],
        [[2, 1]],
      ),
    ),
  ).toBe(4);
  expect(gridPlaces(rowsOf([[3, 2]], [[2, 1]]))).toBe(10);
  expect(gridPlaces(rowsOf([[1, 99]], [[1, 1]]))).toBe(4);
});

test('huge spans are counted without allocating memory', () => {
  const hostile = Array.from({ length: 1_000 }, () => [[1e9, 1e9]] as [number, number][]);
  expect(gridPlaces(rowsOf(...hostile))).toBe(1_000 * 1_000 * 1_000);
  const flat = [
    Array.from({ length: 10_000 }, () => [1, 1] as [number, number]),
    ...Array.from({ length: 9_999 }, () => [] as [number, number][]),
  ];
  expect(gridPlaces(rowsOf(...flat))).toBe(10_000 * 10_000);
});

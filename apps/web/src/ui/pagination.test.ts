import { expect, test } from 'vitest';
import { pageNumbers } from './Pagination.tsx';

test.each([
  [1, 0, [1]],
  [1, 3, [1, 2, 3]],
  [1, 40, [1, 2, 3, 4, 5]],
  [3, 40, [1, 2, 3, 4, 5]],
  [4, 40, [2, 3, 4, 5, 6]],
  [40, 40, [36, 37, 38, 39, 40]],
  [39, 40, [36, 37, 38, 39, 40]],
])('page %d of %d: %j', (page, pages, numbers) => {
  expect(pageNumbers(page, pages)).toEqual(numbers);
});

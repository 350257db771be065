// Lists that are saved as a whole: one that came without the rows that could not be read would remove them.
import { leftOutOf } from '@keyfold/contract/rows';
import { term } from '../../lib/language.ts';

/** Throws, in words for people, when rows of these lists were left out. */
export function requireWhole(...lists: readonly (readonly unknown[])[]): void {
  if (lists.some(list => leftOutOf(list) > 0))
    throw new Error(
      term('Some entries could not be read. Saving now would remove them, so nothing was changed.'),
    );
}

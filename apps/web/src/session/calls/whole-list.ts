// Lists that are saved as a whole: saving a list without its unreadable rows would delete those
// rows.
import { leftOutOf } from '@keyfold/contract/rows';
import { term } from '../../lib/language.ts';

/** Throws a user-facing error if rows of these lists were left out. */
export function requireWhole(...lists: readonly (readonly unknown[])[]): void {
  if (lists.some(list => leftOutOf(list) > 0))
    throw new Error(
      term('Some entries couldn’t be read. Saving now would delete them, so nothing was changed.'),
    );
}

// Names of the eight tag colors (docs/spec-map.md 3), and the choice of a color for a new tag.
import type { Tag } from '@keyfold/contract';
import { TAG_COLORS, type TagColor } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';

/** Returns the display name of a color. */
export function colorName(color: TagColor): string {
  switch (color) {
    case 'blue':
      return t('Blue');
    case 'green':
      return t('Green');
    case 'pink':
      return t('Pink');
    case 'lavender':
      return t('Lavender');
    case 'peach':
      return t('Peach');
    case 'mint':
      return t('Mint');
    case 'gray':
      return t('Gray');
    case 'yellow':
      return t('Yellow');
  }
}

/** Returns the color that the fewest tags use. */
export function freeColor(tags: readonly Tag[]): TagColor {
  const uses = (color: TagColor) => tags.filter(tag => tag.color === color).length;
  return TAG_COLORS.toSorted((a, b) => uses(a) - uses(b))[0] ?? 'blue';
}

// What the eight colours of a tag are called (docs/spec-map.md 3), and which one a new tag gets.
import type { Tag } from '@keyfold/contract';
import { TAG_COLORS, type TagColor } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';

/** The colour's name for people. */
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

/** The colour that the fewest tags have. */
export function freeColor(tags: readonly Tag[]): TagColor {
  const uses = (color: TagColor) => tags.filter(tag => tag.color === color).length;
  return TAG_COLORS.toSorted((a, b) => uses(a) - uses(b))[0] ?? 'blue';
}

// Picker for the eight colors. A group of radio buttons: arrow keys move through it.
import { TAG_COLORS, type TagColor } from '@keyfold/contract/limits';
import { useId } from 'react';
import { t } from '../../lib/language.ts';
import { TagDot } from '../../ui/TagDot.tsx';
import { colorName } from './colors.ts';

type ColorSwatchesProps = {
  value: TagColor;
  onChange: (color: TagColor) => void;
};

/** The group is labeled "Color". */
export function ColorSwatches({ value, onChange }: ColorSwatchesProps) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={t('Color')} className="flex flex-wrap gap-0.5">
      {TAG_COLORS.map(color => (
        <label
          key={color}
          title={colorName(color)}
          className="relative grid size-7 place-items-center rounded-nav border border-transparent hover:bg-hover has-checked:border-line-strong has-checked:bg-well has-focus-visible:outline-2 has-focus-visible:outline-focus pointer-coarse:size-9"
        >
          <input
            type="radio"
            name={name}
            aria-label={colorName(color)}
            checked={color === value}
            onChange={() => onChange(color)}
            className="absolute inset-0 m-0 appearance-none outline-none"
          />
          <span className="pointer-events-none grid scale-150 place-items-center">
            <TagDot color={color} />
          </span>
        </label>
      ))}
    </div>
  );
}

// A circle with a person's initials, in a color that is stable for the same name; gray with a
// generic figure when there is no name.
import { User } from 'lucide-react';
import { cn } from '../lib/class-names.ts';
import { initialsOf } from '../lib/words.ts';

const colors = ['blue', 'green', 'pink', 'lavender', 'peach', 'mint'] as const;

const sizes = {
  sm: 'size-7 text-tiny',
  md: 'size-8 text-meta',
  lg: 'size-9 text-control',
} as const;

/** Side of the figure, in pixels. */
const figures = { sm: 15, md: 17, lg: 19 } as const;

/** Returns one of six colors, chosen by the sum of the characters. */
function colorOf(name: string): (typeof colors)[number] {
  let sum = 0;
  for (const letter of name) sum += letter.codePointAt(0) ?? 0;
  return colors[sum % colors.length] ?? 'blue';
}

/** Decorative: the name itself is shown beside it. An empty name gets the generic figure. */
export function Avatar({ name, size = 'md' }: { name: string; size?: keyof typeof sizes }) {
  return (
    <span
      aria-hidden
      data-color={name === '' ? 'gray' : colorOf(name)}
      className={cn(
        'tag-chip flex shrink-0 items-center justify-center rounded-full font-semibold select-none',
        sizes[size],
      )}
    >
      {name === '' ? <User size={figures[size]} /> : initialsOf(name)}
    </span>
  );
}

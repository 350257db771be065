// A link in running text, inside the program.
import { type LinkProps, Link as RouterLink } from 'react-router';
import { cn } from '../lib/class-names.ts';

type Props = LinkProps & {
  /** Stands by itself, not among words: then it is as high as a finger on touch screens. */
  alone?: boolean;
};

/** An underlined link in the accent colour. */
export function Link({ alone = false, className, ...rest }: Props) {
  return (
    <RouterLink
      {...rest}
      className={cn(
        'rounded-chip font-medium text-accent-text underline underline-offset-2 hover:no-underline',
        alone && 'inline-flex items-center gap-1.5 pointer-coarse:min-h-11 pointer-coarse:min-w-11',
        className,
      )}
    />
  );
}

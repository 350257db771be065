// A link in running text, inside the program.
import { type LinkProps, Link as RouterLink } from 'react-router';
import { cn } from '../lib/class-names.ts';

/** An underlined link in the accent colour. */
export function Link({ className, ...rest }: LinkProps) {
  return (
    <RouterLink
      {...rest}
      className={cn(
        'rounded-chip font-medium text-accent-text underline underline-offset-2 hover:no-underline',
        className,
      )}
    />
  );
}

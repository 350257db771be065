// A link in running text, to a page of the client.
import { type LinkProps, Link as RouterLink } from 'react-router';
import { cn } from '../lib/class-names.ts';

type Props = LinkProps & {
  /** Not part of running text; as high as a touch target on touch screens. */
  alone?: boolean;
};

/** An underlined link in the accent color. */
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

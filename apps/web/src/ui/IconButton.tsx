// A square button with only an icon; its name is read out and shown as a tooltip.
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../lib/class-names.ts';
import { Spinner } from './Spinner.tsx';

const look = cva(
  'inline-flex shrink-0 items-center justify-center rounded-control transition-colors disabled:pointer-events-none disabled:opacity-45',
  {
    variants: {
      variant: {
        quiet: 'text-ink-2 hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink',
        fill: 'bg-fill text-on-fill hover:bg-fill-hover',
        inherit: 'text-current hover:bg-current/10',
        fab: 'size-14 rounded-dialog bg-fill text-on-fill shadow-mid hover:bg-fill-hover',
        star: 'text-line-strong hover:bg-hover aria-pressed:text-star aria-pressed:[&_svg]:fill-star-fill',
      },
      size: {
        xs: 'size-6 rounded-nav',
        sm: 'size-7 pointer-coarse:size-11',
        md: 'size-8 pointer-coarse:size-11',
        lg: 'size-9 pointer-coarse:size-11',
        touch: 'size-11',
        none: '',
      },
    },
    defaultVariants: { variant: 'quiet', size: 'md' },
  },
);

export type IconButtonProps = ComponentProps<'button'> &
  Pick<VariantProps<typeof look>, 'variant' | 'size'> & {
    label: string;
    /** The shortcut, shown in the tooltip. */
    keys?: string | undefined;
    /** false if the button opens a popup or if the page has hundreds of them. */
    tip?: boolean;
    busy?: boolean | undefined;
    children: ReactNode;
  };

/** A button named by `label`. */
export function IconButton({
  label,
  keys,
  tip = true,
  busy = false,
  variant,
  size,
  className,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-busy={busy || undefined}
      aria-keyshortcuts={keys}
      data-tip={tip ? label : undefined}
      data-tip-keys={keys}
      {...rest}
      className={cn(look({ variant, size }), className)}
    >
      {busy ? <Spinner size={16} /> : children}
    </button>
  );
}

// The button in all its variants. The variant determines the colors. A busy button keeps its width
// and states what it is doing.
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../lib/class-names.ts';
import { Spinner } from './Spinner.tsx';

const look = cva(
  'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-control text-control font-semibold whitespace-nowrap select-none transition-colors disabled:pointer-events-none disabled:opacity-55 aria-disabled:opacity-55',
  {
    variants: {
      variant: {
        primary: 'bg-fill text-on-fill hover:bg-fill-hover',
        outline: 'border border-line-strong bg-raised text-ink hover:bg-hover',
        soft: 'bg-selected text-accent-text hover:bg-selected-strong',
        quiet: 'text-ink-2 hover:bg-hover hover:text-ink',
        danger: 'bg-danger-solid text-on-danger hover:brightness-95',
        quietDanger: 'text-danger hover:bg-danger-bg',
        inherit: 'text-current hover:bg-current/10',
        inheritOutline: 'border border-current text-current hover:bg-current/10',
      },
      size: {
        // On touch screens the hit area of the smaller sizes is 44 pixels too, larger than what is
        // visible.
        xs: 'h-7 px-2 pointer-coarse:h-9 pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-1.5',
        sm: 'h-8 px-3 pointer-coarse:h-10 pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-1',
        md: 'h-9 px-3.5 pointer-coarse:h-11',
        /** For use beside a text field, with the same height. */
        field: 'h-10 px-3.5 pointer-coarse:h-11',
        lg: 'h-11 px-5 text-pane',
      },
      full: { true: 'w-full' },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
);

export type ButtonProps = ComponentProps<'button'> &
  Pick<VariantProps<typeof look>, 'variant' | 'size' | 'full'> & {
    /** Shows a spinner and ignores clicks; the text states what is in progress ("Sending…"). */
    busy?: boolean | undefined;
    children?: ReactNode;
  };

/** A push button; `type` is "button" by default. */
export function Button({
  variant,
  size,
  full,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={event => {
        if (busy) {
          event.preventDefault();
          return;
        }
        onClick?.(event);
      }}
      className={cn(look({ variant, size, full }), className)}
    >
      {busy && <Spinner size={15} />}
      {children}
    </button>
  );
}

// A single-line text input with label, hint and error.
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../lib/class-names.ts';
import { Field } from './Field.tsx';
import { fieldFrame } from './field-frame.ts';
import { Spinner } from './Spinner.tsx';

type TextFieldProps = Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  error?: string | undefined;
  /** A lookup for this value is in progress. */
  busy?: boolean;
  /** Shown at the end, inside the frame. */
  end?: ReactNode;
  mono?: boolean;
};

/** A labeled text input. */
export function TextField({
  label,
  value,
  onChange,
  hint,
  error,
  busy = false,
  end,
  mono = false,
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        // An address is read from left to right in every language, with its domain at the end.
        <div
          dir={rest.dir === 'ltr' ? 'ltr' : undefined}
          className={cn(fieldFrame(invalid, rest.disabled), 'h-10 items-center pointer-coarse:h-11')}
        >
          <input
            {...rest}
            id={id}
            value={value}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            onChange={event => onChange(event.target.value)}
            className={cn(
              'h-full min-w-0 flex-1 bg-transparent px-3 outline-none',
              mono ? 'font-mono text-control' : 'text-pane',
            )}
          />
          {busy && <Spinner size={15} className="me-2.5 text-ink-3" />}
          {end}
        </div>
      )}
    </Field>
  );
}

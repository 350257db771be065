// A multi-line text input with label, hint and error.
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../lib/class-names.ts';
import { Field } from './Field.tsx';
import { fieldFrame } from './field-frame.ts';

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  error?: string | undefined;
  mono?: boolean;
};

/** A labeled text area of four rows unless `rows` is given. */
export function TextArea({
  label,
  value,
  onChange,
  hint,
  error,
  mono = false,
  rows = 4,
  ...rest
}: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <div className={fieldFrame(invalid, rest.disabled)}>
          <textarea
            {...rest}
            id={id}
            rows={rows}
            value={value}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            onChange={event => onChange(event.target.value)}
            className={cn(
              'min-w-0 flex-1 resize-y bg-transparent px-3 py-2 outline-none',
              mono ? 'font-mono text-control' : 'text-base',
            )}
          />
        </div>
      )}
    </Field>
  );
}

// The six digits of a second factor, as one input so that paste, password managers and screen
// readers work. Submits when complete.
import type { Ref } from 'react';
import { Field } from './Field.tsx';
import { fieldFrame } from './field-frame.ts';

const DIGITS = 6;

type OtpFieldProps = {
  label: string;
  inputRef?: Ref<HTMLInputElement>;
  value: string;
  onChange: (value: string) => void;
  /** Called once with all six digits. */
  onComplete: (code: string) => void;
  hint?: string;
  error?: string | undefined;
  disabled?: boolean;
  /** Focuses the field on mount, when it is the only thing to fill in. */
  takesFocus?: boolean;
};

/** A labeled code input; drops every character that is not a digit. */
export function OtpField({
  label,
  inputRef,
  value,
  onChange,
  onComplete,
  hint,
  error,
  disabled = false,
  takesFocus = false,
}: OtpFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <div className={fieldFrame(invalid, disabled)}>
          <input
            ref={inputRef}
            id={id}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            value={value}
            disabled={disabled}
            // biome-ignore lint/a11y/noAutofocus: somebody was just asked for the code
            autoFocus={takesFocus}
            placeholder="000000"
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            onChange={event => {
              const next = event.target.value.replace(/\D/gu, '').slice(0, DIGITS);
              onChange(next);
              if (next.length === DIGITS && next !== value) onComplete(next);
            }}
            className="h-12 min-w-0 flex-1 bg-transparent px-3 text-center font-mono text-number tracking-[0.35em] outline-none placeholder:text-line-strong"
          />
        </div>
      )}
    </Field>
  );
}

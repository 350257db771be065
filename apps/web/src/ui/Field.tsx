// The frame of a form field: label, control, hint, and the error that takes precedence over the
// hint.
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

export type FieldParts = {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
};

type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Receives the ids that tie the control to its label, hint and error. */
  children: (parts: FieldParts) => ReactNode;
  after?: ReactNode;
};

/** Ties a control to its label, hint and error. */
export function Field({ label, hint, error, children, after }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const hasHint = hint !== undefined && hint !== '';
  const describedBy = [error !== undefined ? errorId : '', hasHint ? hintId : ''].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-control font-medium text-ink">
        {label}
      </label>
      {children({ id, describedBy: describedBy || undefined, invalid: error !== undefined })}
      {hasHint && (
        <div id={hintId} className="text-meta text-ink-3">
          {hint}
        </div>
      )}
      {error !== undefined && (
        <div id={errorId} className="flex gap-1.5 text-meta text-danger">
          <CircleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />
          {error}
        </div>
      )}
      {after}
    </div>
  );
}

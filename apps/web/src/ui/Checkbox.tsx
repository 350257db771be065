// A checkbox with three states: unchecked, checked, and partly checked (some of many). Uses the
// browser's native checkbox with custom styling, because a list may contain hundreds of them.
import { Check, Minus } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { cn } from '../lib/class-names.ts';

type CheckboxProps = {
  label: string;
  checked: boolean | 'mixed';
  /** `event` is the click, for callers that need its modifier keys. */
  onChange: (checked: boolean, event: Event) => void;
  disabled?: boolean;
  tabIndex?: number;
  className?: string;
};

/** A checkbox named by `label`; any visible text is placed beside it. */
export function Checkbox({ label, checked, onChange, disabled = false, tabIndex, className }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  const isMixed = checked === 'mixed';
  useLayoutEffect(() => {
    if (input.current !== null) input.current.indeterminate = isMixed;
  }, [isMixed]);
  const Mark = isMixed ? Minus : Check;
  return (
    <span
      className={cn('relative flex size-[18px] shrink-0 items-center justify-center text-on-fill', className)}
    >
      <input
        ref={input}
        type="checkbox"
        aria-label={label}
        checked={checked === true}
        disabled={disabled}
        tabIndex={tabIndex}
        onChange={event => onChange(event.target.checked, event.nativeEvent)}
        className="absolute inset-0 m-0 appearance-none rounded-[4px] border border-line-strong bg-surface checked:border-fill checked:bg-fill indeterminate:border-fill indeterminate:bg-fill disabled:opacity-50 pointer-coarse:after:absolute pointer-coarse:after:-inset-3.5"
      />
      {checked !== false && (
        <Mark aria-hidden size={13} strokeWidth={3} className="pointer-events-none z-1" />
      )}
    </span>
  );
}

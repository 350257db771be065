// A box with three states: empty, ticked, and partly ticked (some of many).
import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Check, Minus } from 'lucide-react';
import { cn } from '../lib/class-names.ts';

interface CheckboxProps {
  label: string;
  checked: boolean | 'mixed';
  onChange: (checked: boolean, event: Event) => void;
  disabled?: boolean;
  tabIndex?: number;
  className?: string;
}

/** A box named by `label`; the visible words, if any, stand beside it. */
export function Checkbox({ label, checked, onChange, disabled = false, tabIndex, className }: CheckboxProps) {
  const mixed = checked === 'mixed';
  return (
    <Base.Root
      aria-label={label}
      checked={checked === true}
      indeterminate={mixed}
      disabled={disabled}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onCheckedChange={(next, details) => onChange(next, details.event)}
      className={cn(
        'grid size-[18px] shrink-0 place-items-center rounded-[4px] border border-line-strong bg-surface text-on-fill disabled:opacity-50',
        'data-[checked]:border-fill data-[checked]:bg-fill data-[indeterminate]:border-fill data-[indeterminate]:bg-fill',
        className,
      )}
    >
      <Base.Indicator className="grid place-items-center">
        {mixed ? <Minus size={13} strokeWidth={3} /> : <Check size={13} strokeWidth={3} />}
      </Base.Indicator>
    </Base.Root>
  );
}

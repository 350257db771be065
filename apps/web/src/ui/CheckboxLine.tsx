// A checkbox with its text beside it; both are clickable.
import type { ReactNode } from 'react';
import { Checkbox } from './Checkbox.tsx';

type CheckboxLineProps = {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Shown in place of the label's text. */
  children?: ReactNode;
};

/** A line as high as a touch target on touch screens. */
export function CheckboxLine({ label, checked, onChange, children }: CheckboxLineProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box is inside
    <label className="flex min-h-8 min-w-0 items-center gap-2.5 pointer-coarse:min-h-11">
      <Checkbox label={label} checked={checked} onChange={onChange} />
      {children ?? label}
    </label>
  );
}

// An on/off setting that takes effect immediately.
import { Switch as Base } from '@base-ui/react/switch';

type SwitchProps = {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
};

/** A switch named by `label`; the visible text is beside it. */
export function Switch({ label, checked, onChange, disabled = false }: SwitchProps) {
  return (
    <Base.Root
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onCheckedChange={next => onChange(next)}
      className="inline-flex h-5 w-9 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors data-[checked]:bg-fill data-[disabled]:opacity-50"
    >
      <Base.Thumb className="block size-4 rounded-full bg-paper transition-transform data-[checked]:translate-x-4 rtl:data-[checked]:-translate-x-4" />
    </Base.Root>
  );
}

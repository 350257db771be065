// A select from a short list, with its label.
import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { cn } from '../lib/class-names.ts';

type SelectOption<Value extends string> = {
  value: Value;
  label: string;
};

type SelectProps<Value extends string> = {
  label: string;
  options: readonly SelectOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** The label is read out but not shown. */
  hideLabel?: boolean;
  disabled?: boolean;
};

/** A labeled list of options, one of which is selected. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, options, value, onChange, hideLabel = false, disabled = false } = props;
  return (
    <div className="flex max-w-full min-w-0 flex-col gap-1.5">
      {!hideLabel && <span className="text-control font-medium text-ink">{label}</span>}
      <Base.Root
        items={options}
        value={value}
        disabled={disabled}
        onValueChange={next => {
          if (next !== null) onChange(next);
        }}
      >
        <Base.Trigger
          aria-label={label}
          className={cn(
            'flex min-w-40 items-center justify-between gap-2 rounded-control border border-line-strong bg-surface px-3 text-base text-ink disabled:opacity-55 pointer-coarse:h-11',
            hideLabel ? 'h-9' : 'h-10',
          )}
        >
          <Base.Value className="min-w-0 truncate" />
          <Base.Icon>
            <ChevronDown size={15} />
          </Base.Icon>
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-60 outline-none">
            <Base.Popup className="max-h-(--available-height) max-w-(--available-width) min-w-(--anchor-width) overflow-auto rounded-card border border-line bg-raised p-1 text-base text-ink shadow-mid outline-none">
              {options.map(option => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  className="flex min-h-8 cursor-default items-center gap-2 rounded-control px-2.5 outline-none data-[highlighted]:bg-hover pointer-coarse:min-h-11"
                >
                  <Base.ItemText className="min-w-0 flex-1 wrap-anywhere">{option.label}</Base.ItemText>
                  <Base.ItemIndicator className="text-accent-text">
                    <Check size={14} />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </div>
  );
}

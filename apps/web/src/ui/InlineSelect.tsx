// A select at the end of a text field, inside its frame. Uses the browser's native list, which is
// light and familiar on a phone.
import { ChevronDown } from 'lucide-react';
import { isRightToLeft } from '../lib/language.ts';

type InlineSelectProps = {
  label: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
};

/** Left-to-right mark: keeps a sign such as "@" before the word it belongs to. */
const leading = (text: string): string => (isRightToLeft() ? `\u200e${text}` : text);

/** Named by `label`, which is not shown. */
export function InlineSelect({ label, options, value, onChange }: InlineSelectProps) {
  return (
    <span className="relative h-full shrink-0 border-s border-line">
      <select
        aria-label={label}
        value={value}
        onChange={event => onChange(event.target.value)}
        className="h-full max-w-48 appearance-none truncate bg-well ps-3 pe-8 text-base text-ink-2 -outline-offset-2 [&>option]:bg-raised [&>option]:text-ink"
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {leading(option.label)}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        size={15}
        className="pointer-events-none absolute end-2.5 top-1/2 -mt-2 text-ink-2"
      />
    </span>
  );
}

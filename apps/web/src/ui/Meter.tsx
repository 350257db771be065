// A usage meter: primary color, warning from 75 %, danger from 90 % (docs/spec-map.md 9.16).
import { cn } from '../lib/class-names.ts';
import { meterTone } from './meter-tone.ts';

const colors = { primary: 'fill-accent', warning: 'fill-warn-solid', danger: 'fill-danger-solid' } as const;

type MeterProps = {
  label: string;
  /** 0 to 100. */
  percent: number;
  /** The text read out, as in "1.90 GB of 5.00 GB". */
  valueText: string;
};

/** A meter with its text beside it. */
export function Meter({ label, percent, valueText }: MeterProps) {
  const filled = Math.round(Math.min(100, Math.max(0, percent)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw their own meter over our tokens
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={filled}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={valueText}
    >
      {/* Drawn as SVG, because the content security policy forbids inline styles. */}
      <svg aria-hidden className="block h-1 w-full overflow-hidden rounded-full bg-line rtl:-scale-x-100">
        <rect height="100%" width={`${filled}%`} className={cn('rounded-full', colors[meterTone(percent)])} />
      </svg>
    </div>
  );
}

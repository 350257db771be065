// How full something is: calm, warning from 75 %, danger from 90 % (spec §9 "Storage bar").
import { Meter as Base } from '@base-ui/react/meter';
import { cn } from '../lib/class-names.ts';
import { meterTone } from './meter-tone.ts';

const colors = { primary: 'bg-accent', warning: 'bg-warn-solid', danger: 'bg-danger-solid' } as const;

interface MeterProps {
  label: string;
  /** 0 to 100. */
  percent: number;
  /** What is read out, as in "1.90 GB of 5.00 GB". */
  valueText: string;
}

/** A meter whose words stand beside it. */
export function Meter({ label, percent, valueText }: MeterProps) {
  return (
    <Base.Root value={Math.min(100, Math.max(0, percent))} aria-label={label} aria-valuetext={valueText}>
      <Base.Track className="block h-1 overflow-hidden rounded-full bg-line">
        <Base.Indicator className={cn('block h-full rounded-full', colors[meterTone(percent)])} />
      </Base.Track>
    </Base.Root>
  );
}

// Progress of a running task.
import { Progress as Base } from '@base-ui/react/progress';
import { cn } from '../lib/class-names.ts';

type ProgressProps = {
  label: string;
  /** 0 to 100, or null while the total is unknown. */
  value: number | null;
  thick?: boolean;
  tone?: 'accent' | 'danger';
};

/** A bar named by `label`. */
export function Progress({ label, value, thick = false, tone = 'accent' }: ProgressProps) {
  return (
    <Base.Root value={value} aria-label={label}>
      <Base.Track className={cn('block overflow-hidden rounded-full bg-line', thick ? 'h-1.5' : 'h-1')}>
        <Base.Indicator
          className={cn(
            'block h-full rounded-full transition-[width] duration-150',
            tone === 'danger' ? 'bg-danger-solid' : 'bg-accent',
            value === null && 'w-1/3 animate-pulse',
          )}
        />
      </Base.Track>
    </Base.Root>
  );
}

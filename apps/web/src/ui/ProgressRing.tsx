// Progress as a ring; it spins while the progress is unknown.
import { cn } from '../lib/class-names.ts';

type ProgressRingProps = {
  /** 0 to 100; null if unknown. */
  percent: number | null;
  size?: number;
};

const RADIUS = 10;
const round = 2 * Math.PI * RADIUS;
const UNKNOWN_SHARE = 25;

/** A ring that fills. Decorative: the caller announces the progress to screen readers. */
export function ProgressRing({ percent, size = 24 }: ProgressRingProps) {
  const share = Math.min(100, Math.max(0, percent ?? UNKNOWN_SHARE));
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      strokeWidth={3}
      className={cn(percent === null && 'animate-spin motion-reduce:animate-none')}
    >
      <circle cx={12} cy={12} r={RADIUS} className="stroke-line" />
      <circle
        cx={12}
        cy={12}
        r={RADIUS}
        strokeDasharray={`${(share / 100) * round} ${round}`}
        transform="rotate(-90 12 12)"
        strokeLinecap="round"
        className="stroke-accent"
      />
    </svg>
  );
}

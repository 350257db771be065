// A gray placeholder for content that is loading.
import { cn } from '../lib/class-names.ts';

/** A pulsing block sized by `className`. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={cn('animate-pulse rounded-chip bg-well', className)} />;
}

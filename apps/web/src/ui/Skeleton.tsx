// The grey shape of something that is about to come.
import { cn } from '../lib/class-names.ts';

/** A pulsing block; its size comes from `className`. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={cn('animate-pulse rounded-chip bg-well', className)} />;
}

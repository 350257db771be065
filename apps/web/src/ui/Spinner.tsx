// A spinner for waits of unknown length.
import { LoaderCircle } from 'lucide-react';
import { cn } from '../lib/class-names.ts';

/** A decorative spinner of `size` pixels; screen readers read the text beside it. */
export function Spinner({ size = 16, className }: { size?: number; className?: string }) {
  return <LoaderCircle aria-hidden size={size} className={cn('shrink-0 animate-spin', className)} />;
}

// A turning ring for waits without a known length.
import { LoaderCircle } from 'lucide-react';
import { cn } from '../lib/class-names.ts';

/** A decorative spinner of `size` pixels; the words beside it are what is read out. */
export function Spinner({ size = 16, className }: { size?: number; className?: string }) {
  return <LoaderCircle aria-hidden size={size} className={cn('shrink-0 animate-spin', className)} />;
}

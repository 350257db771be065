// A keyboard key, in small type.
import type { ReactNode } from 'react';

/** One key or chord, as in "e" or "Shift u". */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd
      dir="ltr"
      className="inline-block min-w-5 rounded-chip border border-line bg-surface px-1 text-center font-sans text-tiny text-ink-2"
    >
      {children}
    </kbd>
  );
}

// Part of a dialog that is printed by itself: the page and the rest of the dialog stay off the paper.
import './print-alone.css';
import type { ReactNode } from 'react';

export function PrintAlone({ children }: { children: ReactNode }) {
  return <div data-print-alone>{children}</div>;
}

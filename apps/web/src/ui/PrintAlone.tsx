// The part of a dialog that is printed alone; the page and the rest of the dialog are not printed.
import './print-alone.css';
import type { ReactNode } from 'react';

export function PrintAlone({ children }: { children: ReactNode }) {
  return <div data-print-alone>{children}</div>;
}

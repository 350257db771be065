// The border shared by all text controls.
import { cn } from '../lib/class-names.ts';

/** Returns the class names of the frame around a text control. */
export function fieldFrame(invalid: boolean, disabled = false): string {
  return cn(
    'flex overflow-hidden rounded-control border focus-within:outline-2 focus-within:outline-focus',
    invalid ? 'border-danger' : 'border-line-strong',
    disabled ? 'bg-well' : 'bg-surface',
  );
}

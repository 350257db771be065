// Joins class names. Use one color per component variant: a later class does not override an
// earlier one, because the stylesheet determines the order.
import { type ClassValue, clsx } from 'clsx';

/** Joins class names with spaces. Leaves out false, null and undefined. */
export function cn(...names: ClassValue[]): string {
  return clsx(names);
}

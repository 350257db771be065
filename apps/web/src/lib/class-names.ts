// Joins class names. One colour per component variant: a second class never overrides a first one (the order is not ours).
import { type ClassValue, clsx } from 'clsx';

/** Class names joined by spaces; false, null and undefined are left out. */
export function cn(...names: ClassValue[]): string {
  return clsx(names);
}

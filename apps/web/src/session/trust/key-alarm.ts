// Warnings raised by the key log, for the bar that shows them. Not stored: a persisting problem is
// found again by the next check.
import { useSyncExternalStore } from 'react';

/**
 * The log is inconsistent; a version of it named foreign keys for one of the user's addresses, or
 * none (`isGone`); or the sender of a message reports another log.
 */
export type KeyAlarm =
  | { readonly kind: 'log' }
  | { readonly kind: 'elsewhere'; readonly sender: string }
  | {
      readonly kind: 'own';
      readonly address: string;
      readonly version: number;
      readonly changedAt: string;
      readonly isGone: boolean;
    };

let alarm: KeyAlarm | null = null;
const listeners = new Set<() => void>();

function set(next: KeyAlarm | null): void {
  alarm = next;
  for (const listener of listeners) listener();
}

const weights = { elsewhere: 0, log: 1, own: 2 } as const;

/** Raises a warning, unless a more severe one is shown. */
export function raiseKeyAlarm(next: KeyAlarm): void {
  if (alarm === null || weights[next.kind] >= weights[alarm.kind]) set(next);
}

/** Dismisses the warning once the user has read it. */
export const dismissKeyAlarm = (): void => set(null);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the current warning, live. */
export const useKeyAlarm = (): KeyAlarm | null => useSyncExternalStore(subscribe, () => alarm);

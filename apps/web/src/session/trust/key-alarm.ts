// What the key log gave reason to warn of, for the bar that says so. Nothing is kept: what is wrong shows again at the next
// look.
import { useSyncExternalStore } from 'react';

/**
 * The log does not add up; it named foreign keys for an own address, or none (`isGone`), in a version; or the sender of a mail
 * says to see another log.
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

/** Warns, unless of something that weighs more already. */
export function raiseKeyAlarm(next: KeyAlarm): void {
  if (alarm === null || weights[next.kind] >= weights[alarm.kind]) set(next);
}

/** Somebody has read it. */
export const dismissKeyAlarm = (): void => set(null);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is to be warned of, live. */
export const useKeyAlarm = (): KeyAlarm | null => useSyncExternalStore(subscribe, () => alarm);

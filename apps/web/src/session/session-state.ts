// Whether somebody is logged in, for everything that has to know. Holds no user and no key.
import { useSyncExternalStore } from 'react';

export type SessionStatus = 'unknown' | 'checking' | 'in' | 'out';

let status: SessionStatus = 'unknown';
const listeners = new Set<() => void>();

/** The status now. */
export function sessionStatus(): SessionStatus {
  return status;
}

/** Changes the status and tells everybody. */
export function setSessionStatus(next: SessionStatus): void {
  if (next === status) return;
  status = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The status, live. */
export function useSessionStatus(): SessionStatus {
  return useSyncExternalStore(subscribe, sessionStatus);
}

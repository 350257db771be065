// Whether somebody is logged in, for everything that has to know. Holds no user and no key.
import { useSyncExternalStore } from 'react';

/**
 * `locked`: the server cannot be asked; what is kept here, if anything is, opens with the password. `expired`: the server has ended
 * the session while something is being written; the page stays, and asks for the password.
 */
export type SessionStatus = 'unknown' | 'checking' | 'in' | 'out' | 'locked' | 'expired';

let status: SessionStatus = 'unknown';
let why: string | undefined;
const listeners = new Set<() => void>();

/** The status now. */
export function sessionStatus(): SessionStatus {
  return status;
}

/** Why the server ended the session, where it said so: for the form that follows. */
export const endReason = (): string | undefined => why;

let isLeft = false;

/** Somebody signed out here. A fresh page follows, which remembers nothing of it. */
export function noteSignOut(): void {
  isLeft = true;
}

/** Where to come back to after the form: nowhere for who signed out, since the next one may be somebody else. */
export const placeAfter = (from: string): { readonly from: string } | null => (isLeft ? null : { from });

/** Changes the status and tells everybody. */
export function setSessionStatus(next: SessionStatus, reason?: string): void {
  why = reason;
  if (next === status) return;
  status = next;
  for (const listener of listeners) listener();
}

/** Hears of every change of the status; returns the way to stop. */
export function onStatus(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The status, live. */
export function useSessionStatus(): SessionStatus {
  return useSyncExternalStore(onStatus, sessionStatus);
}

// The status of the session, for every module that needs it. Holds no user and no key.
import { useSyncExternalStore } from 'react';

/**
 * `locked`: the server is unreachable; data stored here, if any, opens with the password.
 * `expired`: the server has ended the session while the user is writing; the page stays, and asks
 * for the password.
 */
export type SessionStatus = 'unknown' | 'checking' | 'in' | 'out' | 'locked' | 'expired';

let status: SessionStatus = 'unknown';
let why: string | undefined;
const listeners = new Set<() => void>();

/** Returns the current status. */
export function sessionStatus(): SessionStatus {
  return status;
}

/**
 * Returns the server's reason for ending the session, if it gave one, for the form that follows.
 */
export const endReason = (): string | undefined => why;

let isLeft = false;

/** Records that the user signed out here. The fresh page that follows does not remember it. */
export function noteSignOut(): void {
  isLeft = true;
}

/**
 * Returns the page to return to after the form: none after a sign-out, because the next user may be
 * someone else.
 */
export const placeAfter = (from: string): { readonly from: string } | null => (isLeft ? null : { from });

/** Changes the status and notifies the listeners. */
export function setSessionStatus(next: SessionStatus, reason?: string): void {
  why = reason;
  if (next === status) return;
  status = next;
  for (const listener of listeners) listener();
}

/** Calls `listener` on every change of the status; returns an unsubscribe function. */
export function onStatus(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the status, live. */
export function useSessionStatus(): SessionStatus {
  return useSyncExternalStore(onStatus, sessionStatus);
}

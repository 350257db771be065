// The logged-in user and the mood of the session, for every screen. Filled by session.ts only.
import type { User } from '@keyfold/contract';
import { useSyncExternalStore } from 'react';

let current: User | null = null;
const listeners = new Set<() => void>();

export function findUser(): User | null {
  return current;
}

/** The user. Throws 'Login required' when nobody is logged in. */
export function getUser(): User {
  if (current === null) throw new Error('Login required');
  return current;
}

export function setUser(user: User | null): void {
  current = user;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The user, live; null while nobody is logged in. */
export function useUser(): User | null {
  return useSyncExternalStore(subscribe, findUser);
}

// The signed-in user, for every screen. Set by session.ts; tags also by the modules that change
// them.
import type { User } from '@keyfold/contract';
import { useSyncExternalStore } from 'react';

let current: User | null = null;
const listeners = new Set<() => void>();

export function findUser(): User | null {
  return current;
}

/** Returns the user. Throws 'Login required' when no user is signed in. */
export function getUser(): User {
  if (current === null) throw new Error('Login required');
  return current;
}

export function setUser(user: User | null): void {
  current = user;
  for (const listener of listeners) listener();
}

/** Updates the user's tags after the server has stored them. */
export function setUserTags(change: (tags: User['tags']) => User['tags']): void {
  if (current !== null) setUser({ ...current, tags: change(current.tags) });
}

/** Calls `listener` on every change of the user; returns an unsubscribe function. */
export function subscribeUser(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the user, live; null while no user is signed in. */
export function useUser(): User | null {
  return useSyncExternalStore(subscribeUser, findUser);
}

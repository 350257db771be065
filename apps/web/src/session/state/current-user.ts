// The logged-in user and the mood of the session, for every screen. Filled by session.ts; tags also by those who change them.
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

/** The user with other tags; the server has them already. */
export function setUserTags(change: (tags: User['tags']) => User['tags']): void {
  if (current !== null) setUser({ ...current, tags: change(current.tags) });
}

/** Hears of every change of the user; returns the way to stop. */
export function subscribeUser(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The user, live; null while nobody is logged in. */
export function useUser(): User | null {
  return useSyncExternalStore(subscribeUser, findUser);
}

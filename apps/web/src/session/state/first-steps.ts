// The checklist of a new account: whether this device still shows it, and which steps were taken of those that leave no trace
// elsewhere. Kept in local storage, for it holds nothing secret and no name. It begins where the account was made and ends for good when it is closed.
import { useSyncExternalStore } from 'react';
import { findSetting, keepSetting } from '../../lib/local-storage.ts';
import { findUser } from './current-user.ts';

const storedAs = 'first_steps';

export type NotedStep = 'import' | 'phone';
type FirstSteps = { readonly keyId: string; readonly done?: readonly NotedStep[] };

const listeners = new Set<() => void>();
let raw: string | null | undefined;
let steps: FirstSteps | null = null;

function read(): FirstSteps | null {
  const stored = findSetting(storedAs);
  if (stored === raw) return steps;
  raw = stored;
  try {
    steps = stored === null || stored === '' ? null : (JSON.parse(stored) as FirstSteps);
  } catch {
    steps = null;
  }
  return steps;
}

function keep(next: FirstSteps | null): void {
  keepSetting(storedAs, next === null ? '' : JSON.stringify(next));
  for (const listener of listeners) listener();
}

/** Shows the checklist to a new account. */
export const startFirstSteps = (keyId: string): void => keep({ keyId, done: [] });

/** Closes the checklist for good. */
export const closeFirstSteps = (): void => keep(null);

/** Notes that a step was taken. */
export function finishFirstStep(step: NotedStep): void {
  const now = read();
  const done = now?.done ?? [];
  if (now !== null && !done.includes(step)) keep({ ...now, done: [...done, step] });
}

const none: readonly NotedStep[] = [];

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The steps taken while the checklist of the signed-in user is shown, else null; live. */
export function useFirstSteps(): readonly NotedStep[] | null {
  const now = useSyncExternalStore(subscribe, read);
  return now !== null && now.keyId === findUser()?.main_key.key_id ? (now.done ?? none) : null;
}

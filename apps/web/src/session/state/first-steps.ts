// The checklist of a new account: whether this device still shows it, and which completed steps
// leave no trace elsewhere. In local storage, because it holds no secret and no name. It starts on
// the device that created the account and never returns once closed.
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

/** Closes the checklist permanently. */
export const closeFirstSteps = (): void => keep(null);

/** Records a completed step. */
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

/**
 * Returns the completed steps while the checklist of the signed-in user is shown, otherwise null;
 * live.
 */
export function useFirstSteps(): readonly NotedStep[] | null {
  const now = useSyncExternalStore(subscribe, read);
  return now !== null && now.keyId === findUser()?.main_key.key_id ? (now.done ?? none) : null;
}

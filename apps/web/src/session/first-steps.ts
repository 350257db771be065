// The checklist of a new account: whether this device still shows it, and which steps were opened. Kept in local storage, for
// it holds nothing secret and no name. It begins where the account was made and ends for good when it is closed.
import { useSyncExternalStore } from 'react';
import { findSetting, keepSetting } from '../lib/local-storage.ts';
import { findUser } from './current-user.ts';

const storedAs = 'first_steps';

export type VisitedStep = 'import' | 'phone';
type FirstSteps = { readonly keyId: string; readonly visited: readonly VisitedStep[] };

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
export const startFirstSteps = (keyId: string): void => keep({ keyId, visited: [] });

/** Closes the checklist for good. */
export const closeFirstSteps = (): void => keep(null);

/** Notes that the page of a step was opened. */
export function visitFirstStep(step: VisitedStep): void {
  const now = read();
  if (now !== null && !now.visited.includes(step)) keep({ ...now, visited: [...now.visited, step] });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The opened steps while the checklist of the signed-in user is shown, else null; live. */
export function useFirstSteps(): readonly VisitedStep[] | null {
  const now = useSyncExternalStore(subscribe, read);
  return now !== null && now.keyId === findUser()?.main_key.key_id ? now.visited : null;
}

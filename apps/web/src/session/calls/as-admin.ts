// Makes the console's calls with the token that they need; fetched with the console. It remembers what was
// asked last, for the console's debug line: call, status and time, never a token and never an answer.
import { CallError, type CallOptions } from '@keyfold/contract/client';
import { useSyncExternalStore } from 'react';
import { adminAccessClient } from './clients/admin-access.ts';
import { createCsrfGuard } from './csrf.ts';

const guard = createCsrfGuard({
  fetchToken: async () => (await adminAccessClient.token({})).csrf_token,
  nowMs: () => performance.now(),
  wait: ms => new Promise(resolve => setTimeout(resolve, ms)),
});

/** The last request of the console. */
export type LastRequest = { readonly call: string; readonly outcome: string; readonly tookMs: number };

let last: LastRequest | null = null;
const listeners = new Set<() => void>();

function note(request: LastRequest): void {
  last = request;
  for (const listener of listeners) listener();
}

const outcomeOf = (error: unknown): string =>
  error instanceof CallError ? `${error.status} ${error.code}` : 'failed';

/** Makes an admin call with its token. Rejects as the call does, or with an Error that has a text of docs/spec-map.md 8. */
export async function asAdmin<T>(name: string, call: (options: CallOptions) => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const took = () => Math.round(performance.now() - startedMs);
  try {
    const answer = await guard.run(call);
    note({ call: name, outcome: '200', tookMs: took() });
    return answer;
  } catch (error) {
    note({ call: name, outcome: outcomeOf(error), tookMs: took() });
    throw error;
  }
}

/** How old the token is, ms; null when there is none. */
export const csrfAgeMs = (): number | null => guard.ageMs();

/** The last request, live. */
export const useLastRequest = (): LastRequest | null =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => last,
  );

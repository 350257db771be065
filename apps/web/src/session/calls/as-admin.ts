// Makes the admin console's calls with the token they require; loaded with the console. Remembers
// the last request for the console's debug line: call, status and time, never a token or a
// response.
import { CallError, type CallOptions } from '@keyfold/contract/client';
import { useSyncExternalStore } from 'react';
import { adminAccessClient } from './clients/admin-access.ts';
import { createCsrfGuard } from './csrf.ts';

const guard = createCsrfGuard({
  fetchToken: async () => (await adminAccessClient.token({})).csrf_token,
  nowMs: () => performance.now(),
  wait: ms => new Promise(resolve => setTimeout(resolve, ms)),
});

/** The console's last request. */
export type LastRequest = { readonly call: string; readonly outcome: string; readonly tookMs: number };

let last: LastRequest | null = null;
const listeners = new Set<() => void>();

function note(request: LastRequest): void {
  last = request;
  for (const listener of listeners) listener();
}

const outcomeOf = (error: unknown): string =>
  error instanceof CallError ? `${error.status} ${error.code}` : 'failed';

/**
 * Makes an admin call with its token. Rejects as the call does, or with an Error whose text is from
 * docs/spec-map.md 8.
 */
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

/** Returns the token's age in ms, or null without a token. */
export const csrfAgeMs = (): number | null => guard.ageMs();

/** Returns the last request, live. */
export const useLastRequest = (): LastRequest | null =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => last,
  );

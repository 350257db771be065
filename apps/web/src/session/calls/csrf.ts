// The token of admin calls (docs/spec-map.md 4, 8, 9): kept for 23 hours, replaced when under five minutes are left, and asked
// for anew, up to three times, when a call is refused for it. Knows no particular call.
import { CallError, type CallOptions } from '@keyfold/contract/client';
import { term } from '../../lib/language.ts';
import { CSRF_LIFETIME_MS, CSRF_REFRESH_BUFFER_MS, csrfRetryDelayMs } from '../../timing.ts';

/** How often a refused call is tried again. docs/spec-map.md 9.03. */
const RETRIES_MAX = 3;

type CsrfParts = {
  readonly fetchToken: () => Promise<string>;
  readonly nowMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

export type CsrfGuard = {
  /** Makes a call with the token. Rejects with what the call rejects with, or an Error that has a text of docs/spec-map.md 8. */
  readonly run: <T>(call: (options: CallOptions) => Promise<T>) => Promise<T>;
  /** How old the kept token is, ms; null when there is none. */
  readonly ageMs: () => number | null;
};

/** A 403 that speaks of CSRF. */
const isRefused = (error: unknown): boolean =>
  error instanceof CallError && error.status === 403 && /csrf/i.test(`${error.code} ${error.message}`);

/** What a failed question for a token is called; being logged out or asked to wait is said as it is. */
function tokenError(error: unknown): unknown {
  if (!(error instanceof CallError)) return new Error(term('Failed to get CSRF token'), { cause: error });
  if (error.status === 401 || error.status === 429) return error;
  // An answer came, and was not what it had to be.
  const isUnreadable = error.status === 0 && (error.cause as Error | undefined)?.name === 'ZodError';
  return new Error(isUnreadable ? term('Invalid CSRF token response') : term('Failed to get CSRF token'), {
    cause: error,
  });
}

/** A guard with a token of its own. */
export function createCsrfGuard({ fetchToken, nowMs, wait }: CsrfParts): CsrfGuard {
  let kept: { readonly token: string; readonly atMs: number } | null = null;
  let asked: Promise<string> | null = null;

  const ask = async (): Promise<string> => {
    const token = await fetchToken().catch((error: unknown) => {
      throw tokenError(error);
    });
    if (token === '') throw new Error(term('Invalid CSRF token response'));
    kept = { token, atMs: nowMs() };
    return token;
  };

  /** One question for all calls that start together. */
  const getToken = async (): Promise<string> => {
    if (kept !== null && CSRF_LIFETIME_MS - (nowMs() - kept.atMs) >= CSRF_REFRESH_BUFFER_MS)
      return kept.token;
    asked ??= ask().finally(() => {
      asked = null;
    });
    return asked;
  };

  return {
    ageMs: () => (kept === null ? null : nowMs() - kept.atMs),
    run: async call => {
      for (let retries = 0; ; retries += 1) {
        const token = await getToken();
        try {
          return await call({ headers: { 'x-csrf-token': token } });
        } catch (error) {
          if (!isRefused(error)) throw error;
          if (kept?.token === token) kept = null;
          if (retries >= RETRIES_MAX)
            throw new Error('CSRF token validation failed. Please try again.', { cause: error });
          await wait(csrfRetryDelayMs);
        }
      }
    },
  };
}

// The CSRF token of admin calls (docs/spec-map.md 4, 8, 9): kept for 23 hours, replaced when less
// than five minutes remain, and requested again, up to three times, when a call is refused because
// of it. Independent of particular calls.
import { CallError, type CallOptions } from '@keyfold/contract/client';
import { term } from '../../lib/language.ts';
import { CSRF_LIFETIME_MS, CSRF_REFRESH_BUFFER_MS, csrfRetryDelayMs } from '../../timing.ts';

/** Maximum retries of a refused call. docs/spec-map.md 9.03. */
const RETRIES_MAX = 3;

type CsrfParts = {
  readonly fetchToken: () => Promise<string>;
  readonly nowMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

export type CsrfGuard = {
  /**
   * Makes a call with the token. Rejects with the call's error, or an Error whose text is from
   * docs/spec-map.md 8.
   */
  readonly run: <T>(call: (options: CallOptions) => Promise<T>) => Promise<T>;
  /** Returns the age of the cached token in ms, or null without one. */
  readonly ageMs: () => number | null;
};

/** Returns whether an error is a 403 caused by CSRF. */
const isRefused = (error: unknown): boolean =>
  error instanceof CallError && error.status === 403 && /csrf/i.test(`${error.code} ${error.message}`);

/** Returns the error for a failed token request. 401 and 429 are passed on unchanged. */
function tokenError(error: unknown): unknown {
  if (!(error instanceof CallError)) return new Error(term('Failed to get CSRF token'), { cause: error });
  if (error.status === 401 || error.status === 429) return error;
  // A response arrived but was malformed.
  const isUnreadable = error.status === 0 && (error.cause as Error | undefined)?.name === 'ZodError';
  return new Error(isUnreadable ? term('Invalid CSRF token response') : term('Failed to get CSRF token'), {
    cause: error,
  });
}

/** Creates a guard with its own token. */
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

  /** Calls that start together share one token request. */
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

// The cache of what the server answered, in memory only. Sign-out reloads the page, so nothing of it outlives a session.
import { CallError } from '@keyfold/contract/client';
import { QueryClient } from '@tanstack/react-query';

/** Answers count as fresh this long; polling and actions ask for them again when they change. */
const freshMs = 15_000;
const retries = 2;

/** Only a missing answer is worth another try: an answer that says no will say no again. */
const mayRetry = (count: number, error: unknown): boolean =>
  count < retries && error instanceof CallError && (error.status === 0 || error.status >= 502);

export const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: freshMs, retry: mayRetry, refetchOnWindowFocus: true } },
});

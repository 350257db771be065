// The cache of what the server answered, in memory only. Sign-out reloads the page, so nothing of it outlives a session.
import { CallError } from '@keyfold/contract/client';
import { onlineManager, QueryClient } from '@tanstack/react-query';
import { isOnline, subscribeOnline } from '../../lib/online.ts';
import { isReachable, setAnswering, subscribeReachable } from './reachability.ts';

/** Answers count as fresh this long; polling and actions ask for them again when they change. */
const FRESH_MS = 15_000;
const RETRIES = 2;

/** Only a missing answer is worth another try: an answer that says no will say no again. */
const mayRetry = (count: number, error: unknown): boolean =>
  isOnline() && count < RETRIES && error instanceof CallError && (error.status === 0 || error.status >= 502);

// Changes wait for the server, not for the cable: one that was kept over a reload must not be tried, and lost, while the
// server is away, and the library believes in a connection until it hears of the loss of one.
const followServer = (): void => onlineManager.setOnline(isReachable());
followServer();
onlineManager.setEventListener(() => {
  const stops = [
    subscribeReachable(followServer),
    // With a new connection nothing is known against the server any more.
    subscribeOnline(() => setAnswering(isOnline())),
  ];
  return () => {
    for (const stop of stops) stop();
  };
});

export const queries = new QueryClient({
  defaultOptions: {
    // Without a connection questions are asked all the same: what is kept on this device answers (client.ts).
    queries: { staleTime: FRESH_MS, retry: mayRetry, refetchOnWindowFocus: true, networkMode: 'always' },
  },
});

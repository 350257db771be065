// The in-memory cache of server responses. Sign-out reloads the page, so nothing in it outlives a
// session.
import { CallError } from '@keyfold/contract/client';
import { onlineManager, QueryClient } from '@tanstack/react-query';
import { isOnline, subscribeOnline } from '../../lib/online.ts';
import { isReachable, setAnswering, subscribeReachable } from './reachability.ts';

/** How long responses count as fresh; polling and user actions refetch them when they change. */
const FRESH_MS = 15_000;
const RETRIES = 2;

/** Only a missing response is retried: the server would refuse again. */
const mayRetry = (count: number, error: unknown): boolean =>
  isOnline() && count < RETRIES && error instanceof CallError && (error.status === 0 || error.status >= 502);

// Changes wait for the server rather than the network. A change that survived a reload must not be
// tried, and lost, while the server is unavailable, and the library assumes it is online until it
// receives an offline event.
const followServer = (): void => onlineManager.setOnline(isReachable());
followServer();
onlineManager.setEventListener(() => {
  const stops = [
    subscribeReachable(followServer),
    // After reconnecting, the server is assumed reachable again.
    subscribeOnline(() => setAnswering(isOnline())),
  ];
  return () => {
    for (const stop of stops) stop();
  };
});

export const queries = new QueryClient({
  defaultOptions: {
    // Queries also run offline, because the cache on this device can answer them (client.ts).
    queries: { staleTime: FRESH_MS, retry: mayRetry, refetchOnWindowFocus: true, networkMode: 'always' },
  },
});

// Which changes cause lists to be fetched again, and how often. Uses a real query cache.
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mailboxChanged } from '../../../session/news/mail-news.ts';
import { CHANGES_GATHER_MS, CHANGES_PAUSE_MS } from '../../../timing.ts';
import { followChanges } from './follow-changes.ts';
import { countsKey, flagChangesKey } from './mail-cache.ts';

let cache: QueryClient;
let version: number;
let asked: number;
let stop: () => void;

function announce(at: number) {
  dispatchEvent(new CustomEvent(mailboxChanged, { detail: { version: at } }));
}

beforeEach(async () => {
  vi.useFakeTimers();
  const frame = new EventTarget();
  vi.stubGlobal('addEventListener', frame.addEventListener.bind(frame));
  vi.stubGlobal('removeEventListener', frame.removeEventListener.bind(frame));
  vi.stubGlobal('dispatchEvent', frame.dispatchEvent.bind(frame));
  version = 1;
  asked = 0;
  cache = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const observer = new QueryObserver(cache, {
    queryKey: countsKey,
    queryFn: async () => {
      asked += 1;
      return { version };
    },
  });
  const unsubscribe = observer.subscribe(() => undefined);
  const unfollow = followChanges(cache);
  stop = () => {
    unfollow();
    unsubscribe();
    cache.clear();
  };
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a change from elsewhere triggers a request, and a known one does not', async () => {
  version = 2;
  announce(2);
  await vi.advanceTimersByTimeAsync(CHANGES_GATHER_MS);
  expect(asked).toBe(2);
  announce(2);
  announce(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(2);
});

test('a burst of changes triggers only occasional requests', async () => {
  for (let step = 0; step < 100; step++) {
    announce(++version);
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(CHANGES_PAUSE_MS + CHANGES_GATHER_MS);
  expect(asked).toBeGreaterThan(2);
  expect(asked).toBeLessThan(10);
  expect(cache.getQueryData(countsKey)).toEqual({ version });
});

test('nothing is requested while the user’s own flag changes are pending', async () => {
  let finish: () => void = () => undefined;
  const mark = new MutationObserver(cache, {
    mutationKey: flagChangesKey,
    mutationFn: () =>
      new Promise<void>(resolve => {
        finish = resolve;
      }),
  });
  void mark.mutate();
  await vi.advanceTimersByTimeAsync(0);
  version = 5;
  announce(5);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toBe(1);
  finish();
  await vi.advanceTimersByTimeAsync(CHANGES_GATHER_MS);
  expect(asked).toBe(2);
});

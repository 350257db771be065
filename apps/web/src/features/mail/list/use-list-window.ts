// Keeps only the rows around the visible ones of a long list in full (list-window.ts, loaded when a
// list is long), and triggers garbage collection of what scrolling leaves behind.
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { LIST_WINDOW_PAUSE_MS, LIST_WINDOW_RETRY_MS } from '../../../timing.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import type { SeenRows } from './list-window.ts';

/** Number of pages from which a list is reduced. */
const LONG_PAGES = 30;

/** Number of rows scrolled past after which garbage collection is worthwhile. */
const GARBAGE_ROWS = 100;

const load = () => loadChunk('long-list', () => import('./list-window.ts'));

/**
 * Exceeds the amount that V8 lets a page hold outside its heap before it checks (64 MB). Never
 * written to, so it uses no memory.
 */
const NOTICED_BYTES = 96 * 1024 * 1024;
/**
 * Browsers on machines with less memory collect early by themselves, as do those that do not report
 * it (Firefox, Safari).
 */
const MUCH_MEMORY_GB = 4;

/**
 * Prompts the browser to collect garbage, both layout objects and JavaScript objects, soon and in
 * small steps alongside other work. There is no API for it, and on machines with much memory
 * Chromium lets hundreds of megabytes accumulate (ADR 0028).
 */
function collectGarbageSoon(): void {
  const { deviceMemory = 0 } = navigator as Navigator & { readonly deviceMemory?: number };
  if (deviceMemory < MUCH_MEMORY_GB) return;
  try {
    // A call, because bundlers remove an unused `new ArrayBuffer`.
    Reflect.construct(ArrayBuffer, [NOTICED_BYTES]);
  } catch {
    // There is not enough memory even for this, so the collector is already running.
  }
}

/** `isHeld` returns whether a row must stay in full because an action on it is pending. */
export function useListWindow(key: QueryKey, pageCount: number, isHeld: (id: string) => boolean) {
  const cache = useQueryClient();
  const seen = useRef<SeenRows>({ first: 0, end: 0 });
  const latest = useRef({ key, pageCount, isHeld });
  latest.current = { key, pageCount, isHeld };
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isWorking = useRef(false);
  /** Number of rows scrolled past since the last collection, and the first rendered row. */
  const passedBy = useRef(0);
  const drawnFirst = useRef(0);

  const look = useCallback(
    (afterMs: number) => {
      const work = async () => {
        timer.current = undefined;
        if (isWorking.current) return;
        isWorking.current = true;
        const before = seen.current;
        let isDone = true;
        try {
          const { keepWindow } = await load();
          await keepWindow(
            cache,
            latest.current.key,
            () => seen.current,
            id => latest.current.isHeld(id),
          );
        } catch {
          isDone = false;
        } finally {
          isWorking.current = false;
        }
        if (!isDone) look(LIST_WINDOW_RETRY_MS);
        else if (seen.current !== before) look(LIST_WINDOW_PAUSE_MS);
      };
      timer.current ??= setTimeout(() => void work(), afterMs);
    },
    [cache],
  );
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  useEffect(() => {
    if (pageCount >= LONG_PAGES) look(LIST_WINDOW_PAUSE_MS);
  }, [pageCount, look]);
  const onRangeShown = useCallback(
    (first: number, end: number) => {
      seen.current = { first, end };
      passedBy.current += Math.abs(first - drawnFirst.current);
      drawnFirst.current = first;
      if (passedBy.current >= GARBAGE_ROWS) {
        passedBy.current = 0;
        collectGarbageSoon();
      }
      if (latest.current.pageCount >= LONG_PAGES) look(LIST_WINDOW_PAUSE_MS);
    },
    [look],
  );
  const bringBack = useCallback(
    async (ids: ReadonlySet<string>): Promise<readonly MailRowData[]> =>
      (await load()).bringBack(cache, latest.current.key, ids),
    [cache],
  );
  return { onRangeShown, bringBack };
}

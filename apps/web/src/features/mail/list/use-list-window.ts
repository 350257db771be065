// Keeps of a long list the rows around what is seen (list-window.ts, fetched when a list is long), and has what scrolling
// leaves behind collected.
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { collectGarbageSoon } from '../../../lib/collect-garbage.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { LIST_WINDOW_PAUSE_MS, LIST_WINDOW_RETRY_MS } from '../../../timing.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import type { SeenRows } from './list-window.ts';

/** Lists of fewer pages are kept whole. */
const LONG_PAGES = 30;

/** Rows that may go by until what they left is worth collecting. */
const GARBAGE_ROWS = 100;

const load = () => loadChunk('long-list', () => import('./list-window.ts'));

/** `isHeld`: rows that must stay whole, because something is about to be done with them. */
export function useListWindow(key: QueryKey, pageCount: number, isHeld: (id: string) => boolean) {
  const cache = useQueryClient();
  const seen = useRef<SeenRows>({ first: 0, end: 0 });
  const latest = useRef({ key, pageCount, isHeld });
  latest.current = { key, pageCount, isHeld };
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isWorking = useRef(false);
  /** Rows that have gone by since the last collection, and the first one that is drawn now. */
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

// Measures the remote pictures of the open messages, once per message and while the page is idle.
// Pictures that no reader could see are trackers. Measuring fetches nothing.
import { useCallback, useEffect, useRef, useState } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { MEASURE_IDLE_MS, WORK_SLICE_MS } from '../../../timing.ts';
import type { MeasuredPictures } from './shown-pictures.ts';

/** Maximum number of remote pictures measured per message; a message with more is malicious. */
const MAX_PICTURES = 300;
/** Longer messages, in characters, are measured only when the user asks for their pictures. */
const MAX_IDLE_CHARACTERS = 200_000;

type Measuring = {
  /**
   * Number of pictures that were measured. A long message references more once it is shown in full.
   */
  readonly count: number;
  readonly control: AbortController;
  readonly result: Promise<MeasuredPictures>;
};

/** Content to measure, by message id. */
export type PicturesOf = ReadonlyMap<string, { readonly html: string; readonly urls: readonly string[] }>;

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, WORK_SLICE_MS);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(work, { timeout: MEASURE_IDLE_MS });
  return () => cancelIdleCallback(id);
}

/**
 * Returns the known numbers of hidden pictures by message id, and a function that measures a
 * message immediately.
 */
export function useMeasuredPictures(
  mails: PicturesOf,
): readonly [ReadonlyMap<string, number>, (mailId: string) => Promise<MeasuredPictures>] {
  const [hidden, setHidden] = useState<ReadonlyMap<string, number>>(new Map());
  const running = useRef(new Map<string, Measuring>());
  const latest = useRef(mails);
  latest.current = mails;
  const measure = useCallback((id: string): Promise<MeasuredPictures> => {
    const { html = '', urls = [] } = latest.current.get(id) ?? {};
    const known = running.current.get(id);
    if (known !== undefined && known.count >= urls.length) return known.result;
    known?.control.abort();
    const control = new AbortController();
    const result = loadChunk('pictures', () => import('./shown-pictures.ts')).then(({ measurePictures }) =>
      measurePictures(html, [...new Set(urls)].slice(0, MAX_PICTURES), control.signal),
    );
    running.current.set(id, { count: urls.length, control, result });
    result.then(
      found => setHidden(before => new Map(before).set(id, found.hidden.length)),
      () => {
        if (running.current.get(id)?.control === control) running.current.delete(id);
      },
    );
    return result;
  }, []);
  useEffect(() => {
    for (const [id, { control }] of running.current)
      if (!mails.has(id)) {
        control.abort();
        running.current.delete(id);
      }
    const next = [...mails].find(([id, { html, urls }]) => {
      const isMeasured = hidden.has(id) || running.current.has(id);
      const measured = isMeasured ? (running.current.get(id)?.count ?? 0) : 0;
      return html.length <= MAX_IDLE_CHARACTERS && urls.length > measured;
    });
    if (next === undefined) return;
    return whenIdle(() => void measure(next[0]).catch(() => undefined));
    // One at a time: each result triggers this effect again.
  }, [mails, hidden, measure]);
  useEffect(() => {
    const started = running.current;
    return () => {
      for (const { control } of started.values()) control.abort();
      started.clear();
    };
  }, []);
  return [hidden, measure];
}

// Measures the remote pictures of the mails that are read, each once and when the page has nothing else to do: what nobody could
// see is a tracker. Nothing is fetched for it.
import { useCallback, useEffect, useRef, useState } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { MEASURE_IDLE_MS, WORK_SLICE_MS } from '../../../timing.ts';
import type { MeasuredPictures } from './shown-pictures.ts';

/** A mail with more remote pictures than this is a trick. */
const MAX_PICTURES = 300;
/** Longer mails are measured when their pictures are asked for, in characters. */
const MAX_IDLE_CHARACTERS = 200_000;

type Measuring = {
  /** Of so many pictures: a long mail names more once the whole of it is shown. */
  readonly count: number;
  readonly control: AbortController;
  readonly result: Promise<MeasuredPictures>;
};

/** What is to be measured, by mail id. */
export type PicturesOf = ReadonlyMap<string, { readonly html: string; readonly urls: readonly string[] }>;

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, WORK_SLICE_MS);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(work, { timeout: MEASURE_IDLE_MS });
  return () => cancelIdleCallback(id);
}

/** The number of hidden pictures by mail id, as far as it is known, and a function that measures a mail at once. */
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
    // One after the other: each result is a reason to look again.
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

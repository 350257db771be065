// Prepares the bodies of opened messages for rendering. HTML is sanitized in slices, so that the
// page stays responsive, and once per message and choice about remote pictures. Prefetched messages
// are sanitized before they are opened, so that they render immediately. Releases inline pictures
// when their message closes.
import { contentIdsIn, isShownInline } from '@keyfold/mail/mime/inline-files';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPauses } from '../../../../lib/pauses.ts';
import { QUIET_WAIT_MS, WORK_SLICE_MS } from '../../../../timing.ts';
import { type WholeMail, wholeMailKey } from '../../state/queries.ts';
import { openInlinePictures, type ShownBody, toHtmlBody, toPlainBody } from '../message-view.ts';
import { createAheadOfTime } from './clean-ahead.ts';
import type { RemoteProgress } from './use-remote-pictures.ts';

type CleanBody = {
  readonly whole: WholeMail;
  readonly remote: RemoteProgress | null;
  readonly isWhole: boolean;
  readonly shown: ShownBody;
  readonly release: () => void;
};

const failed: ShownBody = { body: { kind: 'failed' }, remote: null };

/** Resolves when the browser is idle, or after a short time. */
const whenIdle = (): Promise<unknown> =>
  new Promise(resolve => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: QUIET_WAIT_MS });
    else setTimeout(resolve, WORK_SLICE_MS);
  });

/**
 * Only for bodies without remote or inline pictures, so that there is no picture memory to release.
 */
const ahead = createAheadOfTime(
  ({ content }: WholeMail) =>
    toHtmlBody(content, null, () => null, createPauses(WORK_SLICE_MS, new AbortController().signal)),
  whenIdle,
);

function isPictureless({ content: { parsed } }: WholeMail): boolean {
  const shownIds = contentIdsIn(parsed.html);
  return !parsed.attachments.some(file => isShownInline(file, shownIds));
}

/** Sanitizes prefetched messages that are not shown yet, while the browser is idle. */
function useCleaningAhead(): void {
  const cache = useQueryClient().getQueryCache();
  useEffect(
    () =>
      cache.subscribe(event => {
        const { queryKey, state } = event.query;
        if (queryKey[0] !== wholeMailKey || event.type !== 'updated' || event.action.type !== 'success')
          return;
        const whole = state.data as WholeMail;
        if (event.query.getObserversCount() > 0 || toPlainBody(whole.content) !== null) return;
        if (isPictureless(whole)) ahead.want(whole);
      }),
    [cache],
  );
}

/** Rejects only when the signal is aborted. */
async function clean(
  whole: WholeMail,
  remote: RemoteProgress | null,
  isWhole: boolean,
  signal: AbortSignal,
): Promise<CleanBody> {
  const isShared = remote === null && !isWhole && isPictureless(whole);
  const made = isShared ? await ahead.find(whole)?.catch(() => undefined) : undefined;
  signal.throwIfAborted();
  if (made !== undefined) return { whole, remote, isWhole, shown: made, release: () => undefined };
  const { find, release } = await openInlinePictures(whole.content.parsed);
  const pause = createPauses(WORK_SLICE_MS, signal);
  const shown = await toHtmlBody(whole.content, remote, find, pause, isWhole).catch(() => failed);
  if (signal.aborted) {
    release();
    throw signal.reason;
  }
  if (isShared && shown !== failed) ahead.keep(whole, shown);
  return { whole, remote, isWhole, shown, release };
}

/**
 * Returns the bodies by message id, with the remote pictures fetched so far. A body that is still
 * being sanitized is missing. Long bodies are cut to their beginning, except those in `inFull`.
 */
export function useShownBodies(
  wholes: ReadonlyMap<string, WholeMail>,
  pictures: ReadonlyMap<string, RemoteProgress>,
  inFull: ReadonlySet<string>,
): ReadonlyMap<string, ShownBody> {
  useCleaningAhead();
  const [cleaned, setCleaned] = useState<ReadonlyMap<string, CleanBody>>(new Map());
  const held = useRef(cleaned);
  useEffect(() => {
    const control = new AbortController();
    const keep = (next: ReadonlyMap<string, CleanBody>) => {
      for (const [id, before] of held.current) if (next.get(id) !== before) before.release();
      held.current = next;
      setCleaned(next);
    };
    const run = async () => {
      const stays = [...held.current].filter(([id]) => wholes.has(id));
      if (stays.length < held.current.size) keep(new Map(stays));
      for (const [id, whole] of wholes) {
        const before = held.current.get(id);
        const remote = pictures.get(id) ?? null;
        const isWhole = inFull.has(id);
        if (before?.whole === whole && before.remote === remote && before.isWhole === isWhole) continue;
        if (toPlainBody(whole.content) !== null) continue;
        const one = await clean(whole, remote, isWhole, control.signal);
        keep(new Map(held.current).set(id, one));
      }
    };
    // Only a run that another one has replaced rejects.
    run().catch(() => undefined);
    return () => control.abort();
  }, [wholes, pictures, inFull]);
  useEffect(
    () => () => {
      for (const { release } of held.current.values()) release();
      held.current = new Map();
    },
    [],
  );
  return useMemo(() => {
    const bodies = new Map<string, ShownBody>();
    for (const [id, whole] of wholes) {
      const body = toPlainBody(whole.content) ?? cleaned.get(id)?.shown;
      if (body !== undefined) bodies.set(id, body);
    }
    return bodies;
  }, [wholes, cleaned]);
}

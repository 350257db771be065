// The bodies of opened mails as they are painted. HTML is cleaned in slices, so that the page answers meanwhile, and once
// for each mail and choice about remote pictures; of mail that was fetched ahead of being opened, before that, so that it
// paints at once. Gives the memory of inline pictures back when their mail goes.
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

/** Resolves when the browser has nothing better to do, or soon. */
const whenIdle = (): Promise<unknown> =>
  new Promise(resolve => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: QUIET_WAIT_MS });
    else setTimeout(resolve, WORK_SLICE_MS);
  });

/** A body without remote pictures and without pictures of its own, whose memory would have to be given back. */
const ahead = createAheadOfTime(
  ({ content }: WholeMail) =>
    toHtmlBody(content, null, () => null, createPauses(WORK_SLICE_MS, new AbortController().signal)),
  whenIdle,
);

function isPictureless({ content: { parsed } }: WholeMail): boolean {
  const shownIds = contentIdsIn(parsed.html);
  return !parsed.attachments.some(file => isShownInline(file, shownIds));
}

/** Cleans mail that was fetched ahead, that nothing shows yet, while nothing else is to do. */
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
 * The bodies by mail id, with the remote pictures that were fetched; one that is still being cleaned is missing. Of long bodies
 * it is the beginning, but for those in `inFull`.
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
    // What rejects is only a run that another one has taken over from.
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

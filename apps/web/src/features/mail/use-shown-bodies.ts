// The bodies of opened mails as they are painted. HTML is cleaned in slices, so that the page answers meanwhile, and once
// for each mail and choice about remote pictures. Gives the memory of inline pictures back when their mail goes.
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPauses } from '../../lib/pauses.ts';
import { workSliceMs } from '../../timing.ts';
import { openInlinePictures, type ShownBody, toHtmlBody, toPlainBody } from './message-view.ts';
import type { WholeMail } from './queries.ts';

type CleanBody = {
  readonly whole: WholeMail;
  readonly allowsRemote: boolean;
  readonly shown: ShownBody;
  readonly release: () => void;
};

const failed: ShownBody = { body: { kind: 'failed' }, remote: null };

/** Rejects only when the signal is aborted. */
async function clean(whole: WholeMail, allowsRemote: boolean, signal: AbortSignal): Promise<CleanBody> {
  const { find, release } = await openInlinePictures(whole.content.parsed);
  const pause = createPauses(workSliceMs, signal);
  const shown = await toHtmlBody(whole.content, allowsRemote, find, pause).catch(() => failed);
  if (signal.aborted) {
    release();
    throw signal.reason;
  }
  return { whole, allowsRemote, shown, release };
}

/** The bodies by mail id; one that is still being cleaned is missing. */
export function useShownBodies(
  wholes: ReadonlyMap<string, WholeMail>,
  allowsRemote: boolean,
): ReadonlyMap<string, ShownBody> {
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
        if (before?.whole === whole && before.allowsRemote === allowsRemote) continue;
        if (toPlainBody(whole.content) !== null) continue;
        const one = await clean(whole, allowsRemote, control.signal);
        keep(new Map(held.current).set(id, one));
      }
    };
    // What rejects is only a run that another one has taken over from.
    run().catch(() => undefined);
    return () => control.abort();
  }, [wholes, allowsRemote]);
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

/**
 * What somebody wants with Send: asks once about what looks unfinished, then sends, or makes it wait for a connection. How
 * it is sent is the session's.
 */
import { useEffect, useRef, useState } from 'react';
import { isOfflineSession } from '../../../session/session.ts';
import { type DraftState, findSendObstacle } from '../draft/draft-state.ts';
import type { SendRequest } from '../draft/send-request.ts';
import { waitFor } from '../draft/waiting-drafts.ts';
import { changeComposer, type OpenComposer } from '../windows/composer-list.ts';
import { findReminders, type Reminder } from './reminders.ts';
import { useWaitingDraft } from './use-waiting-draft.ts';

/** A wish that is not carried out before somebody has said what to do about these. */
export type AskedRequest = { readonly request: SendRequest; readonly reminders: readonly Reminder[] };

/** The wishes for one composer; `post` sends at once. */
export function useSendRequest(
  composer: OpenComposer,
  state: DraftState,
  post: (request: SendRequest) => Promise<void>,
) {
  const { handle, session } = composer;
  const [asked, setAsked] = useState<AskedRequest | null>(null);
  const wasAsked = useRef<ReadonlySet<Reminder>>(new Set());
  useWaitingDraft(composer, state.wait !== null, post);

  const goOrWait = (request: SendRequest) => {
    if (navigator.onLine && !isOfflineSession()) void post(request);
    else session.hold(waitFor(session.state(), request));
  };
  /** Each thing is asked about once. */
  const send = (request: SendRequest) => {
    if (state.wait !== null) return session.hold(null);
    const reminders = findReminders(session.state()).filter(one => !wasAsked.current.has(one));
    if (reminders.length > 0) setAsked({ request, reminders });
    else goOrWait(request);
  };
  const canGoByItself = composer.sendsItself === true && findSendObstacle(state) === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when nothing stands in the way any more
  useEffect(() => {
    if (!canGoByItself) return;
    changeComposer(handle, { sendsItself: false });
    send({ copies: 1, at: null });
  }, [canGoByItself]);

  return {
    send,
    asked,
    /** The answer to what was asked: send it as it is, or go back to it. */
    answer: (isSent: boolean) => {
      if (asked === null) return;
      setAsked(null);
      if (isSent) goOrWait(asked.request);
      else wasAsked.current = new Set([...wasAsked.current, ...asked.reminders]);
    },
  };
}

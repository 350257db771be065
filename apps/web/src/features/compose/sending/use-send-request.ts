/**
 * Handles a send request: asks once about apparent omissions, then sends the draft or makes it wait
 * for a connection. The session does the sending.
 */
import { useEffect, useRef, useState } from 'react';
import { isOfflineSession } from '../../../session/session.ts';
import { type DraftState, findSendObstacle } from '../draft/draft-state.ts';
import type { SendRequest } from '../draft/send-request.ts';
import { waitFor } from '../draft/waiting-drafts.ts';
import { changeComposer, type OpenComposer } from '../windows/composer-list.ts';
import { findReminders, type Reminder } from './reminders.ts';
import { useWaitingDraft } from './use-waiting-draft.ts';

/** A request on hold until the user has answered these reminders. */
export type AskedRequest = { readonly request: SendRequest; readonly reminders: readonly Reminder[] };

/** Send requests of one composer; `post` sends immediately. */
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
  /** Each reminder is shown once. */
  const send = (request: SendRequest) => {
    if (state.wait !== null) return session.hold(null);
    const reminders = findReminders(session.state()).filter(one => !wasAsked.current.has(one));
    if (reminders.length > 0) setAsked({ request, reminders });
    else goOrWait(request);
  };
  const canGoByItself = composer.sendsItself === true && findSendObstacle(state) === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the last obstacle is gone
  useEffect(() => {
    if (!canGoByItself) return;
    changeComposer(handle, { sendsItself: false });
    send({ copies: 1, at: null });
  }, [canGoByItself]);

  return {
    send,
    asked,
    /** The user's answer: send anyway, or return to the draft. */
    answer: (isSent: boolean) => {
      if (asked === null) return;
      setAsked(null);
      if (isSent) goOrWait(asked.request);
      else wasAsked.current = new Set([...wasAsked.current, ...asked.reminders]);
    },
  };
}

// Sends a waiting draft as soon as there is a connection, and brings it to the front when the user
// has to review it first. Used once per open composer.
import { useEffect, useRef } from 'react';
import { t } from '../../../lib/language.ts';
import { useReachable } from '../../../session/calls/reachability.ts';
import { useSessionStatus } from '../../../session/state/session-state.ts';
import { showToast } from '../../../ui/toasts.ts';
import type { SendRequest } from '../draft/send-request.ts';
import { sendWaiting } from '../draft/waiting-drafts.ts';
import { changeComposer, listComposers, type OpenComposer } from '../windows/composer-list.ts';

/** Watches the connection for this draft while `isWaiting`. */
export function useWaitingDraft(
  { handle, session }: OpenComposer,
  isWaiting: boolean,
  send: (request: SendRequest) => Promise<void>,
): void {
  const isReachable = useReachable();
  const status = useSessionStatus();
  const isUnderWay = useRef(false);
  useEffect(() => {
    if (!isReachable || !isWaiting || status !== 'in' || isUnderWay.current) return;
    isUnderWay.current = true;
    const ask = () => {
      const { subject } = session.state();
      if (listComposers().every(one => one.mode !== 'docked')) changeComposer(handle, { mode: 'docked' });
      showToast({
        tone: 'danger',
        text: t('Not sent: {subject}', { subject: subject || t('New message') }),
      });
    };
    sendWaiting(session, send, ask)
      .catch(() => undefined)
      .finally(() => {
        isUnderWay.current = false;
      });
  }, [isReachable, isWaiting, status, handle, session, send]);
}

// Handles a press of Send: completes half-typed recipients, waits for running key look-ups, and
// shows why sending is blocked.
import { useEffect, useState } from 'react';
import { showToast } from '../../../ui/toasts.ts';

type SendRoom = {
  isLookingUp: boolean;
  /** Reason why the message cannot be sent now. */
  blockedReason: string | null;
  isBusy: boolean;
  /** Returns whether there was unfinished text. */
  finishTyping: () => boolean;
  onSend: () => void;
};

/** `send` is the button's handler; `isSendWanted` is true while the send waits for look-ups. */
export function useSendWish({ isLookingUp, blockedReason, isBusy, finishTyping, onSend }: SendRoom) {
  const [isSendWanted, setSendWanted] = useState(false);
  const go = () => {
    if (blockedReason === null) onSend();
    else showToast({ tone: 'warning', text: blockedReason });
  };
  const send = () => {
    if (isBusy || isSendWanted) return;
    if (finishTyping() || isLookingUp) setSendWanted(true);
    else go();
  };
  const isReady = isSendWanted && !isLookingUp;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once what was finished has its keys
  useEffect(() => {
    if (!isReady) return;
    setSendWanted(false);
    go();
  }, [isReady]);
  return { send, isSendWanted };
}

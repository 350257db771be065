// Pressing Send: what is half-typed counts, and keys that are still being looked up are waited for. What does not work is said.
import { useEffect, useState } from 'react';
import { showToast } from '../../../ui/toasts.ts';

type SendRoom = {
  isLookingUp: boolean;
  /** Why the message cannot go now. */
  blockedReason: string | null;
  isBusy: boolean;
  /** Whether it found something. */
  finishTyping: () => boolean;
  onSend: () => void;
};

/** `send` is the button's; `isSendWanted` while it waits. */
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

// What the reader allows the senders of the open conversation: remote pictures, once or always, and
// recoloring for dark mode. "Always" applies only to messages proven to be from that sender,
// because otherwise a forged From address would benefit.
import { useCallback, useState } from 'react';
import { callErrorText } from '../../../../session/calls/error-text.ts';
import { showToast } from '../../../../ui/toasts.ts';
import type { MessageView } from '../../state/view-model.ts';
import { chooseForSender, useSenderChoices } from './sender-choices.ts';

function keep(work: Promise<void>): void {
  work.catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
}

const senderOf = ({ from }: MessageView): string => from.address.toLowerCase();

/**
 * Returns whether remote pictures of a message may be fetched. Never in Spam, where they would tell
 * a spammer that the message is read.
 */
export const mayLoad = (message: MessageView, isOnce: boolean, always: ReadonlySet<string>): boolean =>
  !message.isSpam && (isOnce || (message.security?.isSenderProven === true && always.has(senderOf(message))));

export type SenderPermissions = {
  allowsRemote: (message: MessageView) => boolean;
  /** null when the sender is not proven, because "always" could then be misused. */
  alwaysLoad: (message: MessageView) => (() => void) | null;
  loadOnce: () => void;
  showsDark: (message: MessageView) => boolean;
  showDark: (message: MessageView, value: boolean) => void;
};

/** The permissions while this message's conversation is open. */
export function useSenderPermissions(mailId: string | null): SenderPermissions {
  const choices = useSenderChoices();
  const [remoteFor, setRemoteFor] = useState<string | null>(null);
  const [darkHere, setDarkHere] = useState<ReadonlyMap<string, boolean>>(new Map());
  // "Once" ends when the conversation is left; the user is asked again next time.
  if (remoteFor !== null && remoteFor !== mailId) setRemoteFor(null);
  const isOnce = remoteFor !== null && remoteFor === mailId;
  const allowsRemote = useCallback(
    (message: MessageView) => mayLoad(message, isOnce, choices.remote),
    [isOnce, choices],
  );
  return {
    allowsRemote,
    alwaysLoad: message =>
      !message.isSpam && message.security?.isSenderProven === true && senderOf(message) !== ''
        ? () => keep(chooseForSender('remote', senderOf(message), true))
        : null,
    loadOnce: () => setRemoteFor(mailId),
    showsDark: message => darkHere.get(message.id) ?? choices.dark.has(senderOf(message)),
    showDark: (message, value) => {
      setDarkHere(before => new Map(before).set(message.id, value));
      if (senderOf(message) !== '') keep(chooseForSender('dark', senderOf(message), value));
    },
  };
}

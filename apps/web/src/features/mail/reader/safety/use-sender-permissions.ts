// What the reader allows the senders of the open conversation: remote pictures, once or always, and colours recoloured for
// the dark. "Always" holds only while it is proved that a mail is from that sender, or a forged From would use it.
import { useCallback, useState } from 'react';
import { callErrorText } from '../../../../session/calls/error-text.ts';
import { showToast } from '../../../../ui/toasts.ts';
import type { MessageView } from '../../state/view-model.ts';
import { chooseForSender, useSenderChoices } from './sender-choices.ts';

function keep(work: Promise<void>): void {
  work.catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
}

const senderOf = ({ from }: MessageView): string => from.address.toLowerCase();

/** Whether remote pictures of a message may be fetched: never in Spam, where they tell a spammer that somebody reads. */
export const mayLoad = (message: MessageView, isOnce: boolean, always: ReadonlySet<string>): boolean =>
  !message.isSpam && (isOnce || (message.security?.isSenderProven === true && always.has(senderOf(message))));

export type SenderPermissions = {
  allowsRemote: (message: MessageView) => boolean;
  /** null where "always" could be misused, since nothing proves the sender. */
  alwaysLoad: (message: MessageView) => (() => void) | null;
  loadOnce: () => void;
  showsDark: (message: MessageView) => boolean;
  showDark: (message: MessageView, value: boolean) => void;
};

/** The permissions while this mail's conversation is open. */
export function useSenderPermissions(mailId: string | null): SenderPermissions {
  const choices = useSenderChoices();
  const [remoteFor, setRemoteFor] = useState<string | null>(null);
  const [darkHere, setDarkHere] = useState<ReadonlyMap<string, boolean>>(new Map());
  // Once is once: who comes back later is asked again.
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

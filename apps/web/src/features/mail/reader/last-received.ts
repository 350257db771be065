// Chooses the message of a conversation to forward when the user does not name one: the last
// received message. The user's own reply contains neither the text nor the attachments of the
// message it replies to.
import type { MessageView } from '../state/view-model.ts';

/**
 * Returns the last message from another person, or the last of all when the user wrote every
 * message.
 */
export function lastReceived<T extends Pick<MessageView, 'isDraft' | 'from'>>(
  messages: readonly T[],
  ownAddresses: ReadonlySet<string>,
): T | undefined {
  return (
    messages.findLast(({ isDraft, from }) => !isDraft && !ownAddresses.has(from.address.toLowerCase())) ??
    messages.findLast(({ isDraft }) => !isDraft)
  );
}

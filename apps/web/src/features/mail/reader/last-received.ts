// Which message of a conversation is forwarded when nobody says which: the last received one, since one's own answer
// carries neither the words nor the files of the mail it answers.
import type { MessageView } from '../state/view-model.ts';

/** The last message from somebody else; the last of all when everything is one's own. */
export function lastReceived<T extends Pick<MessageView, 'isDraft' | 'from'>>(
  messages: readonly T[],
  ownAddresses: ReadonlySet<string>,
): T | undefined {
  return (
    messages.findLast(({ isDraft, from }) => !isDraft && !ownAddresses.has(from.address.toLowerCase())) ??
    messages.findLast(({ isDraft }) => !isDraft)
  );
}

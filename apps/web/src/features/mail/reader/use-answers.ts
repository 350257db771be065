/** Replies from the reader, by button and by key, and the keys that move between messages. */
import { useRef } from 'react';
import { useCommands } from '../../../session/commands/commands.ts';
import { openForward, openReply } from '../../compose/text/answers.ts';
import { changeComposer, discardComposer, isUntouched } from '../../compose/windows/composer-list.ts';
import { openComposer } from '../../compose/windows/composers.ts';
import { quotedFiles, toAnswered } from './answered-mail.ts';
import type { OpenConversation } from './conversation/use-open-conversation.ts';
import { lastReceived } from './last-received.ts';
import { findNextMessage, focusMessage } from './message-steps.ts';
import { canBeAnswered } from './message-view.ts';

type AnswerKind = 'reply' | 'replyAll' | 'forward';

export type Answers = {
  readonly reply: (id: string, toAll: boolean) => void;
  /** Forwards these messages in one draft. */
  readonly forward: (ids: readonly string[]) => void;
};

const answersOf = ({ inline, ownAddresses, withWhole, withWholes }: OpenConversation): Answers => ({
  reply: (id, toAll) =>
    withWhole(id, whole => {
      // Only one inline reply at a time: a second one would be hidden behind it.
      if (inline !== undefined && !isUntouched(inline)) {
        changeComposer(inline.handle, { wantsFocus: true });
        return;
      }
      if (inline !== undefined) discardComposer(inline);
      const { stored, pictures } = quotedFiles(whole, false);
      openComposer({ ...openReply(toAnswered(whole), ownAddresses, toAll), pictures }, id, stored);
    }),
  forward: ids =>
    withWholes(ids, mails => {
      const opening = openForward(mails.map(toAnswered), ownAddresses);
      const quoted = mails.map(mail => quotedFiles(mail, true));
      const pictures = quoted.flatMap(one => one.pictures);
      const stored = quoted.flatMap(one => one.stored);
      const copied = quoted.flatMap(one => one.copied);
      openComposer({ ...opening, pictures }, null, stored, copied);
    }),
});

/** Replies to the default message of the conversation. */
function answerLast(kind: AnswerKind, open: OpenConversation, answers: Answers): void {
  const { views, ownAddresses, lastId } = open;
  if (kind === 'forward') {
    answers.forward([lastReceived(views, ownAddresses)?.id ?? lastId]);
    return;
  }
  const lastView = views.find(({ id }) => id === lastId);
  if (lastView === undefined || canBeAnswered(lastView)) answers.reply(lastId, kind === 'replyAll');
}

/** Moves to the message before or after the current one. */
function stepBy(by: 1 | -1, { readable, unfold }: OpenConversation): void {
  const pane = document.querySelector('[data-conversation]');
  const next = pane === null ? null : findNextMessage(pane, by);
  if (pane === null || next === null) return;
  if (readable.includes(next)) unfold([next]);
  requestAnimationFrame(() => focusMessage(pane, next));
}

/** The reply functions, and their commands while a conversation is shown. */
export function useAnswers(open: OpenConversation): Answers {
  const answers = answersOf(open);
  const answer = useRef<((kind: AnswerKind) => void) | null>(null);
  answer.current = open.phase === 'shown' ? kind => answerLast(kind, open, answers) : null;
  const isEnabled = () => answer.current !== null;
  useCommands([
    { id: 'reply', run: () => answer.current?.('reply'), isEnabled },
    { id: 'replyAll', run: () => answer.current?.('replyAll'), isEnabled },
    { id: 'forward', run: () => answer.current?.('forward'), isEnabled },
    { id: 'nextMessage', run: () => stepBy(1, open), isEnabled },
    { id: 'previousMessage', run: () => stepBy(-1, open), isEnabled },
    { id: 'unfoldAll', run: () => open.unfold(open.readable), isEnabled },
  ]);
  return answers;
}

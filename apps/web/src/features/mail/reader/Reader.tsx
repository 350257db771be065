// The reading pane: toolbar, subject, one security strip, the messages with older ones collapsed,
// and the reply buttons. Does not keep state: the screen decides which messages are expanded and
// whether remote images may load.
import { Forward, Reply, ReplyAll } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { t, tAs } from '../../../lib/language.ts';
import { dayText } from '../../../lib/time-zone.ts';
import { Button } from '../../../ui/Button.tsx';
import { TagChip } from '../../../ui/TagChip.tsx';
import { UnprovenMark } from '../list/UnprovenMark.tsx';
import type { ConversationView, MessageView } from '../state/view-model.ts';
import { lastReceived } from './last-received.ts';
import { type MessageActions, MessageCard } from './MessageCard.tsx';
import { canBeAnswered, hasManyPeople } from './message-view.ts';
import { ReaderStrips, type ReaderStripsProps } from './ReaderStrips.tsx';
import { type ReaderActions, ReaderToolbar } from './ReaderToolbar.tsx';
import type { SenderPermissions } from './safety/use-sender-permissions.ts';

/** Maximum number of collapsed messages shown; more are folded into one line. */
const MAX_CLOSED_SHOWN = 4;

export type ReaderProps = {
  conversation: ConversationView;
  /** Ids of the expanded messages. */
  openMessageIds: ReadonlySet<string>;
  theme: 'light' | 'dark';
  ownAddresses: ReadonlySet<string>;
  hasBack: boolean;
  permissions: SenderPermissions;
  /** Id of the message whose attachments are being zipped, or null. */
  packing: string | null;
  isRetryingDecrypt?: boolean;
  actions: ReaderActions;
  messageActions: MessageActions;
  securityActions: ReaderStripsProps['securityActions'];
  /** The invitation card of a message, if it carries one. */
  inviteFor?: (message: MessageView) => ReactNode;
  /** A strip about the whole conversation. */
  notice?: ReactNode;
  /** The inline reply below the messages, which replaces the reply buttons. */
  reply?: ReactNode;
};

type AnswerButtonsProps = {
  last: MessageView;
  /** The message to forward. */
  forwarded: MessageView;
  ownAddresses: ReadonlySet<string>;
  actions: Pick<MessageActions, 'onReply' | 'onReplyAll' | 'onForward'>;
};

/** Shown below the messages. */
function AnswerButtons({ last, forwarded, ownAddresses, actions }: AnswerButtonsProps) {
  return (
    <div data-keep-clear className="flex flex-wrap gap-2 py-1 print:hidden">
      {canBeAnswered(last) && (
        <>
          <Button variant="outline" onClick={() => actions.onReply(last.id)}>
            <Reply size={16} />
            {tAs('verb', 'Reply')}
          </Button>
          {hasManyPeople(last, ownAddresses) && (
            <Button variant="outline" onClick={() => actions.onReplyAll(last.id)}>
              <ReplyAll size={16} />
              {t('Reply all')}
            </Button>
          )}
        </>
      )}
      <Button variant="outline" onClick={() => actions.onForward(forwarded.id)}>
        <Forward size={16} />
        {tAs('verb', 'Forward')}
      </Button>
    </div>
  );
}

/**
 * Returns the collapsed messages that are folded into one line: all but the newest, when there are
 * many.
 */
function foldedMessages(
  messages: readonly MessageView[],
  openIds: ReadonlySet<string>,
): ReadonlySet<MessageView> {
  const closed = messages.filter(message => !message.isDraft && !openIds.has(message.id));
  return new Set(closed.length <= MAX_CLOSED_SHOWN ? [] : closed.slice(0, closed.length - 1));
}

/** The open conversation. */
export function Reader(props: ReaderProps) {
  const { conversation, openMessageIds, actions, messageActions, permissions, reply } = props;
  const [showsOlder, setShowsOlder] = useState(false);
  const today = dayText(new Date());
  // List dates depend on the current day only, not on the time of day.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day is another now.
  const now = useMemo(() => new Date(), [today]);
  const last = conversation.messages.findLast(message => !message.isDraft) ?? conversation.messages.at(-1);
  if (last === undefined) return null;
  const opened = conversation.messages.filter(message => openMessageIds.has(message.id));
  // An open conversation has been read, so it can only be marked as unread.
  const subject = { where: conversation.place, unread: false, starred: conversation.starred };
  const folded = showsOlder ? new Set() : foldedMessages(conversation.messages, openMessageIds);
  const shown = conversation.messages.filter(message => !folded.has(message));
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-col bg-surface">
      <ReaderToolbar actions={actions} subject={subject} hasBack={props.hasBack} />
      <article
        data-conversation
        aria-label={conversation.subject || t('(No subject)')}
        // Keyboard users must be able to scroll long messages.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto overscroll-contain px-7 pt-5 pb-10 -outline-offset-2 *:mx-auto *:max-w-[860px] max-pane:px-3 max-pane:pt-3 max-pane:pb-24"
      >
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <h2
            dir="auto"
            className="align-as-page min-w-0 text-subject font-strong tracking-tight break-words"
          >
            {conversation.subject || t('(No subject)')}
          </h2>
          {conversation.isSubjectUnproven && <UnprovenMark />}
          {conversation.tags.map(tag => (
            <TagChip key={tag.name} name={tag.name} color={tag.color} />
          ))}
        </div>
        {props.notice && <div className="mb-3">{props.notice}</div>}
        <ReaderStrips
          conversation={conversation}
          subject={subject}
          opened={opened}
          last={last}
          permissions={permissions}
          isRetryingDecrypt={props.isRetryingDecrypt}
          onAct={actions.onAct}
          messageActions={messageActions}
          securityActions={props.securityActions}
        />
        {folded.size > 0 && (
          <button
            type="button"
            aria-expanded={false}
            onClick={() => setShowsOlder(true)}
            className="mb-2 flex w-full items-center justify-center rounded-card border border-line bg-well px-4 py-2 text-control font-medium text-ink-2 hover:bg-hover"
          >
            {t('{count, plural, one {# older message} other {# older messages}}', { count: folded.size })}
          </button>
        )}
        {shown.map(message => (
          <MessageCard
            key={message.id}
            message={message}
            isOpen={openMessageIds.has(message.id)}
            theme={props.theme}
            ownAddresses={props.ownAddresses}
            showsDark={permissions.showsDark(message)}
            isPacking={props.packing === message.id}
            onShowDark={value => permissions.showDark(message, value)}
            now={now}
            actions={messageActions}
            invite={props.inviteFor?.(message)}
          />
        ))}
        {reply ?? (
          <AnswerButtons
            last={last}
            forwarded={lastReceived(conversation.messages, props.ownAddresses) ?? last}
            ownAddresses={props.ownAddresses}
            actions={messageActions}
          />
        )}
      </article>
    </div>
  );
}

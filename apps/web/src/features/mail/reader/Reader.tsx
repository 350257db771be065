// The reading pane: toolbar, subject, one security strip, the messages with older ones closed, and the answer buttons.
// Which messages are open and whether remote images may load is kept by the screen.
import { Clock, Forward, Reply, ReplyAll, ShieldAlert } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { t, tAs } from '../../../lib/language.ts';
import { dayText } from '../../../lib/time-zone.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TagChip } from '../../../ui/TagChip.tsx';
import type { OnAct } from '../list/OfferButton.tsx';
import { UnprovenMark } from '../list/UnprovenMark.tsx';
import { type MailAction, offerOf, type Subject } from '../state/mail-actions.ts';
import type { ConversationView, MessageView } from '../state/view-model.ts';
import { lastReceived } from './last-received.ts';
import { type MessageActions, MessageCard } from './MessageCard.tsx';
import { canBeAnswered, hasManyPeople } from './message-view.ts';
import { type ReaderActions, ReaderToolbar } from './ReaderToolbar.tsx';
import { RemoteContentStrip } from './safety/RemoteContentStrip.tsx';
import { type SecurityActions, SecurityStrip } from './safety/SecurityStrip.tsx';
import type { SenderPermissions } from './safety/use-sender-permissions.ts';
import { worstReceived } from './safety/worst-received.ts';
import { UnsubscribeStrip } from './UnsubscribeStrip.tsx';

/** More closed messages than this are folded into one line. */
const MAX_CLOSED_SHOWN = 4;

export type ReaderProps = {
  conversation: ConversationView;
  /** Ids of the messages that are unfolded. */
  openMessageIds: ReadonlySet<string>;
  theme: 'light' | 'dark';
  ownAddresses: ReadonlySet<string>;
  hasBack: boolean;
  permissions: SenderPermissions;
  /** The message whose files are being packed into one. */
  packing: string | null;
  isRetryingDecrypt?: boolean;
  actions: ReaderActions;
  messageActions: MessageActions;
  securityActions: Pick<SecurityActions, 'onRetryDecrypt'> & {
    /** Opens what compares the keys of a message's sender. */
    onVerify?: (message: MessageView) => void;
  };
  /** The invitation card of a message, if it carries one. */
  inviteFor?: (message: MessageView) => ReactNode;
  /** A strip about the whole conversation. */
  notice?: ReactNode;
  /** The inline answer under the messages; takes the place of the answer buttons. */
  reply?: ReactNode;
};

/** Says where the conversation is, with the way out of there. */
function PlaceBanner(props: {
  icon: ReactNode;
  action: MailAction;
  subject: Subject;
  onAct: OnAct;
  children: ReactNode;
}) {
  const out = offerOf(props.action, props.subject);
  return (
    <Banner
      tone="neutral"
      icon={props.icon}
      actions={
        out !== null && (
          <Button variant="inherit" size="xs" onClick={event => props.onAct(out, event.currentTarget)}>
            {out.label}
          </Button>
        )
      }
    >
      {props.children}
    </Banner>
  );
}

/** The open conversation. */
export function Reader(props: ReaderProps) {
  const { conversation, openMessageIds, actions, messageActions, permissions, reply, securityActions } =
    props;
  const [showsOlder, setShowsOlder] = useState(false);
  const today = dayText(new Date());
  // Of the time of day no date in a list tells more than the day.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day is another now.
  const now = useMemo(() => new Date(), [today]);
  const last = conversation.messages.findLast(message => !message.isDraft) ?? conversation.messages.at(-1);
  if (last === undefined) return null;
  const forwarded = lastReceived(conversation.messages, props.ownAddresses) ?? last;
  const opened = conversation.messages.filter(message => openMessageIds.has(message.id));
  const strip = opened.at(-1) ?? last;
  const verdict = worstReceived(conversation.messages);
  const withRemote = opened.findLast(message => message.remote !== null);
  // What is open was read: it can be marked unread alone.
  const subject = { where: conversation.place, unread: false, starred: conversation.starred };
  const closed = conversation.messages.filter(message => !message.isDraft && !openMessageIds.has(message.id));
  const folded = showsOlder || closed.length <= MAX_CLOSED_SHOWN ? [] : closed.slice(0, closed.length - 1);
  const foldedIds = new Set(folded.map(message => message.id));
  const shown = conversation.messages.filter(message => !foldedIds.has(message.id));
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-col bg-surface">
      <ReaderToolbar actions={actions} subject={subject} hasBack={props.hasBack} />
      <article
        data-conversation
        aria-label={conversation.subject || t('(No subject)')}
        // Long mail is scrolled with the keyboard too.
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
        {conversation.daysLeft !== null && (
          <div className="mb-3">
            <PlaceBanner icon={<Clock size={16} />} action="archive" subject={subject} onAct={actions.onAct}>
              {t(
                '{count, plural, one {This is in Deleted. It will be removed in # day.} other {This is in Deleted. It will be removed in # days.}}',
                { count: conversation.daysLeft },
              )}
            </PlaceBanner>
          </div>
        )}
        {conversation.place === 'flagged' && (
          <div className="mb-3 print:hidden">
            <PlaceBanner
              icon={<ShieldAlert size={16} />}
              action="spam"
              subject={subject}
              onAct={actions.onAct}
            >
              {t('This message is in Spam.')}
            </PlaceBanner>
          </div>
        )}
        <div className="mb-3.5">
          {verdict !== null && (
            <SecurityStrip
              key={verdict.message.id}
              security={verdict.security}
              isEarlier={verdict.isEarlier}
              isRetrying={props.isRetryingDecrypt ?? false}
              actions={{
                onRetryDecrypt: securityActions.onRetryDecrypt,
                onVerify: securityActions.onVerify && (() => securityActions.onVerify?.(verdict.message)),
                onViewHeaders: () => messageActions.onViewHeaders(verdict.message.id),
                onDownloadRaw: () => messageActions.onDownloadRaw(verdict.message.id),
              }}
            />
          )}
        </div>
        {withRemote?.remote != null && (
          <div className="mb-3.5">
            <RemoteContentStrip
              remote={withRemote.remote}
              onLoadOnce={withRemote.isSpam ? undefined : permissions.loadOnce}
              onAlwaysLoad={permissions.alwaysLoad(withRemote) ?? undefined}
            />
          </div>
        )}
        {strip.unsubscribe !== null && (
          <div className="mb-3.5 print:hidden">
            <UnsubscribeStrip
              key={strip.id}
              mailId={strip.id}
              unsubscribe={strip.unsubscribe}
              sender={strip.from.name || strip.from.address}
              recipients={[...strip.to, ...strip.cc]}
            />
          </div>
        )}
        {folded.length > 0 && (
          <button
            type="button"
            aria-expanded={false}
            onClick={() => setShowsOlder(true)}
            className="mb-2 flex w-full items-center justify-center rounded-card border border-line bg-well px-4 py-2 text-control font-medium text-ink-2 hover:bg-hover"
          >
            {t('{count, plural, one {# older message} other {# older messages}}', { count: folded.length })}
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
          <div data-keep-clear className="flex flex-wrap gap-2 py-1 print:hidden">
            {canBeAnswered(last) && (
              <>
                <Button variant="outline" onClick={() => messageActions.onReply(last.id)}>
                  <Reply size={16} />
                  {tAs('verb', 'Reply')}
                </Button>
                {hasManyPeople(last, props.ownAddresses) && (
                  <Button variant="outline" onClick={() => messageActions.onReplyAll(last.id)}>
                    <ReplyAll size={16} />
                    {t('Reply all')}
                  </Button>
                )}
              </>
            )}
            <Button variant="outline" onClick={() => messageActions.onForward(forwarded.id)}>
              <Forward size={16} />
              {tAs('verb', 'Forward')}
            </Button>
          </div>
        )}
      </article>
    </div>
  );
}

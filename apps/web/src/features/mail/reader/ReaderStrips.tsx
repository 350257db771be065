/**
 * The strips above the messages of the open conversation: its place, how far it can be trusted, its
 * remote pictures, and unsubscribing from a mailing list.
 */
import { Clock, ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import type { OnAct } from '../list/OfferButton.tsx';
import { type MailAction, offerOf, type Subject } from '../state/mail-actions.ts';
import type { ConversationView, MessageView } from '../state/view-model.ts';
import type { MessageActions } from './MessageCard.tsx';
import { RemoteContentStrip } from './safety/RemoteContentStrip.tsx';
import { type SecurityActions, SecurityStrip } from './safety/SecurityStrip.tsx';
import type { SenderPermissions } from './safety/use-sender-permissions.ts';
import { worstReceived } from './safety/worst-received.ts';
import { UnsubscribeStrip } from './UnsubscribeStrip.tsx';

export type ReaderStripsProps = {
  conversation: ConversationView;
  subject: Subject;
  /** The expanded messages. */
  opened: readonly MessageView[];
  /** The last message, used when no message is expanded. */
  last: MessageView;
  permissions: SenderPermissions;
  isRetryingDecrypt?: boolean | undefined;
  onAct: OnAct;
  messageActions: Pick<MessageActions, 'onViewHeaders' | 'onDownloadRaw'>;
  securityActions: Pick<SecurityActions, 'onRetryDecrypt'> & {
    /** Opens the key comparison for the sender of a message. */
    onVerify?: (message: MessageView) => void;
  };
};

/** Names the place of the conversation and offers to move it out. */
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

/** Offers to move the conversation out of Deleted or Spam. */
function PlaceStrips({
  conversation,
  subject,
  onAct,
}: Pick<ReaderStripsProps, 'conversation' | 'subject' | 'onAct'>) {
  return (
    <>
      {conversation.daysLeft !== null && (
        <div className="mb-3">
          <PlaceBanner icon={<Clock size={16} />} action="archive" subject={subject} onAct={onAct}>
            {t(
              '{count, plural, one {This message is in Deleted. It will be deleted permanently in # day.} other {This message is in Deleted. It will be deleted permanently in # days.}}',
              { count: conversation.daysLeft },
            )}
          </PlaceBanner>
        </div>
      )}
      {conversation.place === 'flagged' && (
        <div className="mb-3 print:hidden">
          <PlaceBanner icon={<ShieldAlert size={16} />} action="spam" subject={subject} onAct={onAct}>
            {t('This message is in Spam.')}
          </PlaceBanner>
        </div>
      )}
    </>
  );
}

/** Shows the trust level of the least trusted message. */
function TrustStrip(props: ReaderStripsProps) {
  const { messageActions, securityActions } = props;
  const verdict = worstReceived(props.conversation.messages);
  return (
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
  );
}

/** Shows the strips that currently apply. */
export function ReaderStrips(props: ReaderStripsProps) {
  const { conversation, opened, permissions } = props;
  const strip = opened.at(-1) ?? props.last;
  const withRemote = opened.findLast(message => message.remote !== null);
  return (
    <>
      <PlaceStrips conversation={conversation} subject={props.subject} onAct={props.onAct} />
      <TrustStrip {...props} />
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
    </>
  );
}

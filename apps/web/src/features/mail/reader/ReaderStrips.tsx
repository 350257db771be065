/**
 * The strips over the messages of the open conversation: where it is, how far it can be trusted, its remote pictures, and
 * the way out of a mailing list.
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
  /** The messages that are unfolded. */
  opened: readonly MessageView[];
  /** The last message: it speaks where none is unfolded. */
  last: MessageView;
  permissions: SenderPermissions;
  isRetryingDecrypt?: boolean | undefined;
  onAct: OnAct;
  messageActions: Pick<MessageActions, 'onViewHeaders' | 'onDownloadRaw'>;
  securityActions: Pick<SecurityActions, 'onRetryDecrypt'> & {
    /** Opens what compares the keys of a message's sender. */
    onVerify?: (message: MessageView) => void;
  };
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

/** The way out of Deleted and of Spam. */
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
              '{count, plural, one {This is in Deleted. It will be removed in # day.} other {This is in Deleted. It will be removed in # days.}}',
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

/** How far the message that can be trusted least is. */
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

/** Those that apply now. */
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

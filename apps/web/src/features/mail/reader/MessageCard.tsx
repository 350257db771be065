// One message of a conversation: a single line when collapsed; header, body and attachments when
// expanded.
import type { ReactNode } from 'react';
import { formatMessageDate } from '../../../lib/dates.ts';
import { t } from '../../../lib/language.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { AttachmentList } from '../attachments/AttachmentList.tsx';
import { UnprovenMark } from '../list/UnprovenMark.tsx';
import type { MessageView } from '../state/view-model.ts';
import { MessageBody } from './MessageBody.tsx';
import { MessageHead } from './MessageHead.tsx';

/** Actions on one message, by its id. */
export type MessageActions = {
  onToggle: (id: string) => void;
  onReply: (id: string) => void;
  onReplyAll: (id: string) => void;
  onForward: (id: string) => void;
  onViewHeaders: (id: string) => void;
  onViewSource: (id: string) => void;
  onPrint: (id: string) => void;
  onDownloadRaw: (id: string) => void;
  onDownloadAttachment: (messageId: string, attachmentId: string) => void;
  onPreviewAttachment: (messageId: string, attachmentId: string) => void;
  onSaveAllAttachments: (messageId: string) => void;
  /** Saves the sender as a contact. */
  onAddContact?: (id: string) => void;
  /** Starts a draft from a mailto: link. */
  onCompose: (mailto: string) => void;
};

export type MessageCardProps = {
  message: MessageView;
  isOpen: boolean;
  theme: 'light' | 'dark';
  ownAddresses: ReadonlySet<string>;
  showsDark: boolean;
  onShowDark: (value: boolean) => void;
  /** All its attachments are being zipped. */
  isPacking: boolean;
  now: Date;
  actions: MessageActions;
  /** The invitation card, above the body. */
  invite?: ReactNode;
};

function ClosedMessage({ message, now, actions }: Pick<MessageCardProps, 'message' | 'now' | 'actions'>) {
  return (
    <button
      type="button"
      aria-expanded={false}
      data-message={message.id}
      onClick={() => actions.onToggle(message.id)}
      className="mb-2 flex w-full items-center gap-3 rounded-card border border-line bg-surface px-4 py-[9px] text-start text-ink-2 hover:bg-hover"
    >
      <Avatar size="sm" name={message.from.name || message.from.address} />
      <span className="align-as-page min-w-0 flex-1 truncate" dir="auto">
        {message.isDraft && <span className="me-1.5 font-semibold text-danger">{t('Draft')}</span>}
        <b className="font-semibold text-ink">{message.from.name || message.from.address}</b>{' '}
        {message.security?.kind === 'failed' && (
          <>
            <UnprovenMark />{' '}
          </>
        )}
        {message.snippet}
      </span>
      <span className="text-meta whitespace-nowrap text-ink-3 tabular-nums">
        {formatMessageDate(new Date(message.date), now)}
      </span>
    </button>
  );
}

/** A message, expanded or collapsed. */
export function MessageCard({
  message,
  isOpen,
  theme,
  ownAddresses,
  showsDark,
  onShowDark,
  isPacking,
  now,
  actions,
  invite,
}: MessageCardProps) {
  if (!isOpen) return <ClosedMessage message={message} now={now} actions={actions} />;
  const { id, from } = message;
  return (
    <section
      data-message={id}
      // The n and p keys move the focus here.
      tabIndex={-1}
      aria-label={t('Message from {person}', { person: from.name || from.address })}
      className="mb-2 scroll-mt-3 outline-offset-[-2px] overflow-hidden rounded-card border border-line bg-surface print:border-0"
    >
      <MessageHead message={message} ownAddresses={ownAddresses} now={now} actions={actions} />
      <div className="ps-[60px] pe-4 pb-4 max-pane:px-3.5">
        {invite}
        {message.security?.kind !== 'failed' && !(invite && message.body.kind === 'empty') && (
          <MessageBody
            body={message.body}
            theme={theme}
            showsDark={showsDark}
            onShowDark={onShowDark}
            onCompose={actions.onCompose}
          />
        )}
        {message.security?.kind === 'failed' && (
          <p className="text-control text-danger">
            {t('Failed to decrypt message. Only the headers can be shown.')}
          </p>
        )}
        <AttachmentList
          attachments={message.attachments}
          isPacking={isPacking}
          onDownload={attachmentId => actions.onDownloadAttachment(id, attachmentId)}
          onPreview={attachmentId => actions.onPreviewAttachment(id, attachmentId)}
          onSaveAll={() => actions.onSaveAllAttachments(id)}
        />
      </div>
    </section>
  );
}

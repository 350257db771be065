// One message of a conversation: a line while it is closed, head, body and attachments while it is open.
import { Forward, MoreHorizontal, Reply, ReplyAll } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatFullDate, formatMessageDate } from '../../lib/dates.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { MenuSeparator } from '../../ui/MenuSeparator.tsx';
import { AttachmentCard } from './AttachmentCard.tsx';
import { MessageBody } from './MessageBody.tsx';
import { PeopleLine } from './PeopleLine.tsx';
import type { MessageView } from './view-model.ts';

/** What can be done with one message, by its id. */
export interface MessageActions {
  onToggle: (id: string) => void;
  onReply: (id: string) => void;
  onReplyAll: (id: string) => void;
  onForward: (id: string) => void;
  onViewHeaders: (id: string) => void;
  onViewSource: (id: string) => void;
  onDownloadRaw: (id: string) => void;
  onDownloadAttachment: (messageId: string, attachmentId: string) => void;
  onPreviewAttachment?: (messageId: string, attachmentId: string) => void;
  onCompose: (address: string) => void;
}

export interface MessageCardProps {
  message: MessageView;
  isOpen: boolean;
  theme: 'light' | 'dark';
  ownAddresses: ReadonlySet<string>;
  allowsRemote: boolean;
  now: Date;
  actions: MessageActions;
  /** The invitation card, above the body. */
  invite?: ReactNode;
}

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
      <span className="min-w-0 flex-1 truncate" dir="auto">
        <b className="font-semibold text-ink">{message.from.name || message.from.address}</b>{' '}
        {message.snippet}
      </span>
      <span className="text-meta whitespace-nowrap text-ink-3 tabular-nums">
        {formatMessageDate(new Date(message.date), now)}
      </span>
    </button>
  );
}

/** A message, open or closed. */
export function MessageCard({
  message,
  isOpen,
  theme,
  ownAddresses,
  allowsRemote,
  now,
  actions,
  invite,
}: MessageCardProps) {
  if (!isOpen) return <ClosedMessage message={message} now={now} actions={actions} />;
  const { id, from } = message;
  const at = new Date(message.date);
  return (
    <section
      data-message={id}
      aria-label={`Message from ${from.name || from.address}`}
      className="mb-2 overflow-hidden rounded-card border border-line bg-surface print:border-0"
    >
      <header className="flex items-start gap-3 px-4 py-3 max-pane:gap-2.5 max-pane:ps-3.5 max-pane:pe-2">
        <Avatar size="lg" name={from.name || from.address} />
        <div className="min-w-0 flex-1">
          <div className="truncate">
            <bdi className="font-semibold">{from.name || from.address}</bdi>{' '}
            {from.name !== '' && (
              <bdi className="text-control text-ink-3 max-pane:hidden">{from.address}</bdi>
            )}
          </div>
          <PeopleLine message={message} ownAddresses={ownAddresses} />
        </div>
        <div className="flex items-center gap-1">
          <time
            dateTime={message.date}
            title={formatFullDate(at)}
            className="me-1 text-meta whitespace-nowrap text-ink-3 tabular-nums"
          >
            {formatMessageDate(at, now)}
          </time>
          <span className="flex print:hidden">
            <IconButton label="Reply" keys="r" onClick={() => actions.onReply(id)}>
              <Reply size={17} />
            </IconButton>
            <Menu
              trigger={
                <IconButton tip={false} label="More for this message">
                  <MoreHorizontal size={17} />
                </IconButton>
              }
            >
              <MenuItem icon={<ReplyAll size={16} />} keys="a" onSelect={() => actions.onReplyAll(id)}>
                Reply all
              </MenuItem>
              <MenuItem icon={<Forward size={16} />} keys="f" onSelect={() => actions.onForward(id)}>
                Forward
              </MenuItem>
              <MenuSeparator />
              <MenuItem onSelect={() => actions.onViewHeaders(id)}>View headers</MenuItem>
              <MenuItem onSelect={() => actions.onViewSource(id)}>View source</MenuItem>
              <MenuItem onSelect={() => actions.onDownloadRaw(id)}>Download .eml</MenuItem>
              <MenuItem onSelect={() => actions.onToggle(id)}>Close message</MenuItem>
            </Menu>
          </span>
        </div>
      </header>
      <div className="ps-[60px] pe-4 pb-4 max-pane:px-3.5">
        {invite}
        {message.security?.kind !== 'failed' && (
          <MessageBody
            body={message.body}
            theme={theme}
            allowsRemote={allowsRemote}
            onCompose={actions.onCompose}
          />
        )}
        {message.security?.kind === 'failed' && (
          <p className="text-control text-danger">
            Failed to decrypt message. Only the headers can be shown.
          </p>
        )}
        {message.attachments.length > 0 && (
          <ul aria-label="Attachments" className="mt-3.5 flex flex-wrap gap-2.5">
            {message.attachments.map(attachment => (
              <AttachmentCard
                key={attachment.id}
                attachment={attachment}
                onDownload={attachmentId => actions.onDownloadAttachment(id, attachmentId)}
                onPreview={attachmentId => actions.onPreviewAttachment?.(id, attachmentId)}
              />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

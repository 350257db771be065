// One message of a conversation: a line while it is closed, head, body and attachments while it is open.
import { Forward, MoreHorizontal, Printer, Reply, ReplyAll, UserCheck, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatFullDate, formatMessageDate } from '../../../lib/dates.ts';
import { t } from '../../../lib/language.ts';
import { isNative } from '../../../native/is-native.ts';
import { keysOf } from '../../../session/commands/shortcut-keys.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { MenuItem } from '../../../ui/MenuItem.tsx';
import { MenuSeparator } from '../../../ui/MenuSeparator.tsx';
import { AttachmentList } from '../attachments/AttachmentList.tsx';
import { UnprovenMark } from '../list/UnprovenMark.tsx';
import type { MessageView } from '../state/view-model.ts';
import { MessageBody } from './MessageBody.tsx';
import { canBeAnswered, hasManyPeople } from './message-view.ts';
import { PeopleLine } from './PeopleLine.tsx';

/** What can be done with one message, by its id. */
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
  /** Begins a mail from a mailto: link. */
  onCompose: (mailto: string) => void;
};

export type MessageCardProps = {
  message: MessageView;
  isOpen: boolean;
  theme: 'light' | 'dark';
  ownAddresses: ReadonlySet<string>;
  showsDark: boolean;
  onShowDark: (value: boolean) => void;
  /** All its files are being packed into one. */
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

/** A message, open or closed. */
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
  const at = new Date(message.date);
  const isContact = message.security?.inContacts ?? false;
  const isAnswerable = canBeAnswered(message);
  const canAdd =
    actions.onAddContact !== undefined &&
    isAnswerable &&
    !isContact &&
    from.address !== '' &&
    !ownAddresses.has(from.address.toLowerCase());
  return (
    <section
      data-message={id}
      // n and p bring the focus here.
      tabIndex={-1}
      aria-label={t('Message from {person}', { person: from.name || from.address })}
      className="mb-2 scroll-mt-3 outline-offset-[-2px] overflow-hidden rounded-card border border-line bg-surface print:border-0"
    >
      <header className="flex items-start gap-3 px-4 py-3 max-pane:gap-2.5 max-pane:ps-3.5 max-pane:pe-2">
        <Avatar size="lg" name={from.name || from.address} />
        <div className="min-w-0 flex-1">
          {/* On a phone name and address have lines of their own, and the date stands below them. */}
          <div className="truncate max-pane:line-clamp-3 max-pane:wrap-anywhere max-pane:whitespace-normal">
            <bdi className="font-semibold">{from.name || from.address}</bdi>{' '}
            {message.security?.kind === 'failed' && (
              <>
                <UnprovenMark />{' '}
              </>
            )}
            {isContact && (
              <>
                <UserCheck aria-hidden size={14} className="mb-0.5 inline text-ink-3" />
                <span className="sr-only">{t('In your contacts')}</span>{' '}
              </>
            )}
            {from.name !== '' && (
              <bdi className="text-control text-ink-3 max-pane:hidden">{from.address}</bdi>
            )}
          </div>
          {from.name !== '' && (
            <bdi className="line-clamp-2 text-meta wrap-anywhere text-ink-3 pane:hidden">{from.address}</bdi>
          )}
          <PeopleLine message={message} ownAddresses={ownAddresses} now={now} />
        </div>
        <div className="flex items-center gap-1">
          <time
            dateTime={message.date}
            title={formatFullDate(at)}
            className="me-1 text-meta whitespace-nowrap text-ink-3 tabular-nums max-pane:hidden"
          >
            {formatMessageDate(at, now)}
          </time>
          <span className="flex print:hidden">
            {isAnswerable && (
              <IconButton label={t('Reply')} keys={keysOf('reply')} onClick={() => actions.onReply(id)}>
                <Reply size={17} />
              </IconButton>
            )}
            <Menu
              trigger={
                <IconButton tip={false} label={t('More for this message')}>
                  <MoreHorizontal size={17} />
                </IconButton>
              }
            >
              {isAnswerable && hasManyPeople(message, ownAddresses) && (
                <MenuItem
                  icon={<ReplyAll size={16} />}
                  keys={keysOf('replyAll')}
                  onSelect={() => actions.onReplyAll(id)}
                >
                  {t('Reply all')}
                </MenuItem>
              )}
              <MenuItem
                icon={<Forward size={16} />}
                keys={keysOf('forward')}
                onSelect={() => actions.onForward(id)}
              >
                {t('Forward')}
              </MenuItem>
              <MenuSeparator />
              {canAdd && (
                <MenuItem icon={<UserPlus size={16} />} onSelect={() => actions.onAddContact?.(id)}>
                  {t('Add sender to contacts')}
                </MenuItem>
              )}
              {!isNative() && (
                <MenuItem icon={<Printer size={16} />} onSelect={() => actions.onPrint(id)}>
                  {t('Print')}
                </MenuItem>
              )}
              <MenuItem onSelect={() => actions.onViewHeaders(id)}>{t('View headers')}</MenuItem>
              <MenuItem onSelect={() => actions.onViewSource(id)}>{t('View source')}</MenuItem>
              <MenuItem onSelect={() => actions.onDownloadRaw(id)}>{t('Download .eml')}</MenuItem>
              <MenuItem onSelect={() => actions.onToggle(id)}>{t('Close message')}</MenuItem>
            </Menu>
          </span>
        </div>
      </header>
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

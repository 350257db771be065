// The header of an expanded message: sender, recipients, date, the reply button, and a menu of less
// frequent actions.
import { Forward, MoreHorizontal, Printer, Reply, ReplyAll, UserCheck, UserPlus } from 'lucide-react';
import { formatFullDate, formatMessageDate } from '../../../lib/dates.ts';
import { t, tAs } from '../../../lib/language.ts';
import { isNative } from '../../../native/is-native.ts';
import { keysOf } from '../../../session/commands/shortcut-keys.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { MenuItem } from '../../../ui/MenuItem.tsx';
import { MenuSeparator } from '../../../ui/MenuSeparator.tsx';
import { UnprovenMark } from '../list/UnprovenMark.tsx';
import type { MessageView } from '../state/view-model.ts';
import type { MessageActions } from './MessageCard.tsx';
import { canBeAnswered, hasManyPeople } from './message-view.ts';
import { PeopleLine } from './PeopleLine.tsx';

type MessageHeadProps = {
  message: MessageView;
  ownAddresses: ReadonlySet<string>;
  now: Date;
  actions: MessageActions;
};

const isContact = ({ security }: MessageView): boolean => security?.inContacts ?? false;

/** The menu of one message. */
function MessageMenu({ message, ownAddresses, actions }: MessageHeadProps) {
  const { id, from } = message;
  const isAnswerable = canBeAnswered(message);
  const canAdd =
    actions.onAddContact !== undefined &&
    isAnswerable &&
    !isContact(message) &&
    from.address !== '' &&
    !ownAddresses.has(from.address.toLowerCase());
  return (
    <Menu
      trigger={
        <IconButton tip={false} label={t('More actions for this message')}>
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
      <MenuItem icon={<Forward size={16} />} keys={keysOf('forward')} onSelect={() => actions.onForward(id)}>
        {tAs('verb', 'Forward')}
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
      <MenuItem onSelect={() => actions.onToggle(id)}>{t('Collapse message')}</MenuItem>
    </Menu>
  );
}

/** The sender and the recipients. */
function Sender({ message, ownAddresses, now }: Omit<MessageHeadProps, 'actions'>) {
  const { from } = message;
  return (
    <div className="min-w-0 flex-1">
      {/* On a phone, name and address have separate lines and the date is below them. */}
      <div className="truncate max-pane:line-clamp-3 max-pane:wrap-anywhere max-pane:whitespace-normal">
        <bdi className="font-semibold">{from.name || from.address}</bdi>{' '}
        {message.security?.kind === 'failed' && (
          <>
            <UnprovenMark />{' '}
          </>
        )}
        {isContact(message) && (
          <>
            <UserCheck aria-hidden size={14} className="mb-0.5 inline text-ink-3" />
            <span className="sr-only">{t('In your contacts')}</span>{' '}
          </>
        )}
        {from.name !== '' && <bdi className="text-control text-ink-3 max-pane:hidden">{from.address}</bdi>}
      </div>
      {from.name !== '' && (
        <bdi className="line-clamp-2 text-meta wrap-anywhere text-ink-3 pane:hidden">{from.address}</bdi>
      )}
      <PeopleLine message={message} ownAddresses={ownAddresses} now={now} />
    </div>
  );
}

/** Shown above the body. */
export function MessageHead(props: MessageHeadProps) {
  const { message, ownAddresses, now, actions } = props;
  const { id, from } = message;
  const at = new Date(message.date);
  return (
    <header className="flex items-start gap-3 px-4 py-3 max-pane:gap-2.5 max-pane:ps-3.5 max-pane:pe-2">
      <Avatar size="lg" name={from.name || from.address} />
      <Sender message={message} ownAddresses={ownAddresses} now={now} />
      <div className="flex items-center gap-1">
        <time
          dateTime={message.date}
          title={formatFullDate(at)}
          className="me-1 text-meta whitespace-nowrap text-ink-3 tabular-nums max-pane:hidden"
        >
          {formatMessageDate(at, now)}
        </time>
        <span className="flex print:hidden">
          {canBeAnswered(message) && (
            <IconButton
              label={tAs('verb', 'Reply')}
              keys={keysOf('reply')}
              onClick={() => actions.onReply(id)}
            >
              <Reply size={17} />
            </IconButton>
          )}
          <MessageMenu {...props} />
        </span>
      </div>
    </header>
  );
}

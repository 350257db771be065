// The bar over the open conversation: away with it, mark it, tag it, and the rarer things in a menu.
import {
  Archive,
  ArchiveRestore,
  ArrowLeft,
  Clock,
  Inbox,
  ListFilter,
  Mail,
  MoreHorizontal,
  Printer,
  ShieldAlert,
  ShieldBan,
  ShieldCheck,
  Star,
  Tag,
  Trash2,
} from 'lucide-react';
import { t, tAs } from '../../lib/language.ts';
import { isNative } from '../../native/is-native.ts';
import { keysOf } from '../../session/shortcut-keys.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { MenuSeparator } from '../../ui/MenuSeparator.tsx';
import type { MailRowView } from './view-model.ts';

/** What can be done with the open conversation. */
export interface ReaderActions {
  onBack: () => void;
  onArchive: () => void;
  onDelete: () => void;
  /** Only for deleted conversations; takes Archive's place. */
  onRestore?: (() => void) | undefined;
  onMarkUnread: () => void;
  onStar: () => void;
  onPrint: () => void;
  onViewHeaders: () => void;
  onViewSource: () => void;
  onDownloadRaw: () => void;
  /** Opens the tag picker beside the button. */
  onTag?: ((anchor: Element) => void) | undefined;
  /** Opens the snooze times beside the button. */
  onSnooze?: ((anchor: Element) => void) | undefined;
  /** Into spam, or out of it. */
  onSpam?: (() => void) | undefined;
  onBlockSender?: (() => void) | undefined;
  /** Begins a rule about the sender. */
  onMakeRule?: (() => void) | undefined;
}

interface ReaderToolbarProps {
  actions: ReaderActions;
  isStarred: boolean;
  /** Where the conversation is. */
  place: MailRowView['place'];
  /** Only one pane is shown: the arrow back to the list is there. */
  hasBack: boolean;
}

/** The first button: out of where the conversation is, or into the archive. */
function MoveButton({ actions, place }: Pick<ReaderToolbarProps, 'actions' | 'place'>) {
  if (place === 'deleted')
    return (
      <IconButton label={t('Restore')} onClick={actions.onRestore}>
        <ArchiveRestore size={17} />
      </IconButton>
    );
  if (place === 'flagged')
    return (
      <IconButton label={t('Not spam')} keys={keysOf('spam')} onClick={actions.onSpam}>
        <ShieldCheck size={17} />
      </IconButton>
    );
  return place === 'archived' ? (
    <IconButton label={t('Move to inbox')} keys={keysOf('archive')} onClick={actions.onArchive}>
      <Inbox size={17} />
    </IconButton>
  ) : (
    <IconButton label={tAs('verb', 'Archive')} keys={keysOf('archive')} onClick={actions.onArchive}>
      <Archive size={17} />
    </IconButton>
  );
}

/** 48 px high. */
export function ReaderToolbar({ actions, isStarred, place, hasBack }: ReaderToolbarProps) {
  const { onTag, onSnooze, onSpam } = actions;
  return (
    <div
      role="toolbar"
      aria-label={t('Conversation actions')}
      className="flex h-12 shrink-0 items-center gap-0.5 border-b border-line px-3 max-pane:gap-0 max-pane:px-1.5 print:hidden"
    >
      {hasBack && (
        <IconButton label={t('Back')} keys={keysOf('back')} onClick={actions.onBack}>
          <ArrowLeft size={19} className="rtl:-scale-x-100" />
        </IconButton>
      )}
      <MoveButton actions={actions} place={place} />
      <IconButton
        label={place === 'deleted' ? t('Delete for ever') : t('Delete')}
        keys={keysOf('delete')}
        onClick={actions.onDelete}
      >
        <Trash2 size={17} />
      </IconButton>
      <IconButton label={t('Mark unread')} keys={keysOf('unread')} onClick={actions.onMarkUnread}>
        <Mail size={17} />
      </IconButton>
      <span aria-hidden className="mx-1.5 h-5 w-px bg-line max-pane:mx-0.5" />
      {onTag !== undefined && (
        <IconButton
          label={tAs('verb', 'Tag')}
          keys={keysOf('tag')}
          data-opens="tag"
          onClick={event => onTag(event.currentTarget)}
        >
          <Tag size={17} />
        </IconButton>
      )}
      {onSnooze !== undefined && (
        <IconButton
          label={tAs('verb', 'Snooze')}
          keys={keysOf('snooze')}
          data-opens="snooze"
          onClick={event => onSnooze(event.currentTarget)}
        >
          <Clock size={17} />
        </IconButton>
      )}
      <IconButton
        variant="star"
        label={tAs('verb', 'Star')}
        keys={keysOf('star')}
        aria-pressed={isStarred}
        onClick={actions.onStar}
      >
        <Star size={17} />
      </IconButton>
      <span className="flex-1" />
      {!isNative() && (
        <span className="max-pane:hidden">
          <IconButton label={t('Print')} onClick={actions.onPrint}>
            <Printer size={17} />
          </IconButton>
        </span>
      )}
      <Menu
        trigger={
          <IconButton tip={false} label={t('More')}>
            <MoreHorizontal size={17} />
          </IconButton>
        }
      >
        <MenuItem onSelect={actions.onViewHeaders}>{t('View headers')}</MenuItem>
        <MenuItem onSelect={actions.onViewSource}>{t('View source')}</MenuItem>
        <MenuItem onSelect={actions.onDownloadRaw}>{t('Download .eml')}</MenuItem>
        {(actions.onBlockSender ?? onSpam) !== undefined && <MenuSeparator />}
        {onSpam !== undefined && (
          <MenuItem
            icon={place === 'flagged' ? <ShieldCheck size={16} /> : <ShieldAlert size={16} />}
            keys={keysOf('spam')}
            onSelect={onSpam}
          >
            {place === 'flagged' ? t('Not spam') : t('Mark as spam')}
          </MenuItem>
        )}
        {actions.onMakeRule !== undefined && (
          <MenuItem icon={<ListFilter size={16} />} onSelect={actions.onMakeRule}>
            {t('Make a rule from this mail')}
          </MenuItem>
        )}
        {actions.onBlockSender !== undefined && (
          <MenuItem icon={<ShieldBan size={16} />} onSelect={actions.onBlockSender}>
            {t('Block sender')}
          </MenuItem>
        )}
      </Menu>
    </div>
  );
}

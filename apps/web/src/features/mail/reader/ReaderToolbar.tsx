// The bar over the open conversation: away with it, mark it, tag it, and the rarer things in a menu.
import { ArrowLeft, Forward, ListFilter, Mail, MoreHorizontal, Printer, ShieldBan, Star } from 'lucide-react';
import { t, tAs } from '../../../lib/language.ts';
import { isNative } from '../../../native/is-native.ts';
import { keysOf } from '../../../session/commands/shortcut-keys.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { MenuItem } from '../../../ui/MenuItem.tsx';
import { MenuSeparator } from '../../../ui/MenuSeparator.tsx';
import { lookOf } from '../state/effect-look.ts';
import type { Place } from '../state/mail-actions.ts';

/** What can be done with the open conversation. */
export interface ReaderActions {
  onBack: () => void;
  /** Out of where the conversation is, or into the archive (mail-actions.ts). */
  onArchive: () => void;
  onDelete: () => void;
  onMarkUnread: () => void;
  onStar: () => void;
  onPrint: () => void;
  onViewHeaders: () => void;
  onViewSource: () => void;
  /** All messages in one; not where there is one only. */
  onForwardAll?: (() => void) | undefined;
  onDownloadRaw: () => void;
  /** Opens the tag picker beside the button. */
  onTag: (anchor: Element) => void;
  /** Opens the snooze times beside the button. */
  onSnooze: (anchor: Element) => void;
  /** Into spam, or out of it. */
  onSpam: () => void;
  onBlockSender?: (() => void) | undefined;
  /** Begins a rule about the sender. */
  onMakeRule?: (() => void) | undefined;
}

interface ReaderToolbarProps {
  actions: ReaderActions;
  isStarred: boolean;
  /** Where the conversation is. */
  place: Place;
  /** Only one pane is shown: the arrow back to the list is there. */
  hasBack: boolean;
}

interface ActionButtonProps {
  action: 'archive' | 'delete' | 'tag' | 'snooze';
  place: Place;
  onRun: (anchor: Element) => void;
}

/** The button of an action, where the table has one. */
function ActionButton({ action, place, onRun }: ActionButtonProps) {
  const look = lookOf(action, place);
  if (look === null) return null;
  return (
    <IconButton
      label={look.label()}
      keys={look.keys}
      {...(action === 'tag' || action === 'snooze' ? { 'data-opens': action } : {})}
      onClick={event => onRun(event.currentTarget)}
    >
      <look.Icon size={17} />
    </IconButton>
  );
}

/** 48 px high. */
export function ReaderToolbar({ actions, isStarred, place, hasBack }: ReaderToolbarProps) {
  const spam = lookOf('spam', place);
  return (
    <div
      role="toolbar"
      aria-label={t('Conversation actions')}
      className="flex h-12 short:h-10 shrink-0 items-center gap-0.5 border-b border-line px-3 max-pane:gap-0 max-pane:px-1.5 print:hidden"
    >
      {hasBack && (
        <IconButton label={t('Back')} keys={keysOf('back')} onClick={actions.onBack}>
          <ArrowLeft size={19} className="rtl:-scale-x-100" />
        </IconButton>
      )}
      <ActionButton action="archive" place={place} onRun={actions.onArchive} />
      <ActionButton action="delete" place={place} onRun={actions.onDelete} />
      <IconButton label={t('Mark unread')} keys={keysOf('unread')} onClick={actions.onMarkUnread}>
        <Mail size={17} />
      </IconButton>
      <span aria-hidden className="mx-1.5 h-5 w-px bg-line max-pane:mx-0.5" />
      <ActionButton action="tag" place={place} onRun={actions.onTag} />
      <ActionButton action="snooze" place={place} onRun={actions.onSnooze} />
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
        {actions.onForwardAll !== undefined && (
          <MenuItem icon={<Forward size={16} />} onSelect={actions.onForwardAll}>
            {t('Forward all messages')}
          </MenuItem>
        )}
        <MenuItem onSelect={actions.onViewHeaders}>{t('View headers')}</MenuItem>
        <MenuItem onSelect={actions.onViewSource}>{t('View source')}</MenuItem>
        <MenuItem onSelect={actions.onDownloadRaw}>{t('Download .eml')}</MenuItem>
        {(actions.onBlockSender !== undefined || spam !== null) && <MenuSeparator />}
        {spam !== null && (
          <MenuItem icon={<spam.Icon size={16} />} keys={spam.keys} onSelect={actions.onSpam}>
            {spam.label()}
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

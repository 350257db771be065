// The head of the list while rows are checked: how many, and what can be done with all of them. What stands where depends
// on the folder: nobody archives in the archive.
import {
  Archive,
  ArchiveRestore,
  Clock,
  Inbox,
  Mail,
  MailOpen,
  MoreHorizontal,
  ShieldBan,
  ShieldCheck,
  Star,
  Tag,
  Trash2,
} from 'lucide-react';
import { useCloseRequest } from '../../lib/close-request.ts';
import { t, tAs } from '../../lib/language.ts';
import { keysOf } from '../../session/shortcut-keys.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import type { Mark } from './marks.ts';
import type { PanelState } from './OrganisePanel.tsx';

interface BulkBarProps {
  word: string;
  count: number;
  /** Every row is checked. */
  isAll: boolean;
  onClear: () => void;
  onMark: (mark: Mark) => void;
  /** Opens the tag picker or the snooze times beside the button. */
  onPanel: (kind: PanelState['kind'], anchor: Element) => void;
}

/** Replaces ListHeader. Back on a phone ends the selection. */
export function BulkBar({ word, count, isAll, onClear, onMark, onPanel }: BulkBarProps) {
  useCloseRequest(true, onClear);
  const isDeleted = word === 'deleted';
  const isFlagged = word === 'flagged';
  const isDrafts = word === 'drafts';
  const mark = (change: Mark) => () => onMark(change);
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2">
      <Checkbox label={t('Clear selection')} checked={isAll ? true : 'mixed'} onChange={onClear} />
      <h1 className="truncate text-pane font-strong tracking-tight tabular-nums">
        {t('{count} selected', { count })}
      </h1>
      <span className="flex-1" />
      <div role="toolbar" aria-label={t('Selected messages')} className="flex">
        {isDeleted && (
          <IconButton label={t('Restore')} onClick={mark({ kind: 'restore' })}>
            <ArchiveRestore size={17} />
          </IconButton>
        )}
        {isFlagged && (
          <IconButton
            label={t('Not spam')}
            keys={keysOf('spam')}
            onClick={mark({ kind: 'flag', value: false })}
          >
            <ShieldCheck size={17} />
          </IconButton>
        )}
        {word === 'archived' && (
          <IconButton
            label={t('Move to inbox')}
            keys={keysOf('archive')}
            onClick={mark({ kind: 'archive', value: false })}
          >
            <Inbox size={17} />
          </IconButton>
        )}
        {!isDeleted && !isFlagged && !isDrafts && word !== 'archived' && (
          <IconButton
            label={tAs('verb', 'Archive')}
            keys={keysOf('archive')}
            onClick={mark({ kind: 'archive', value: true })}
          >
            <Archive size={17} />
          </IconButton>
        )}
        <IconButton
          label={isDeleted || isDrafts ? t('Delete for ever') : t('Delete')}
          keys={keysOf('delete')}
          onClick={mark({ kind: 'delete' })}
        >
          <Trash2 size={17} />
        </IconButton>
        {!isDeleted && !isDrafts && (
          <IconButton
            label={tAs('verb', 'Tag')}
            keys={keysOf('tag')}
            data-opens="tag"
            onClick={event => onPanel('tag', event.currentTarget)}
          >
            <Tag size={17} />
          </IconButton>
        )}
        <IconButton
          label={t('Mark read')}
          keys={keysOf('read')}
          onClick={mark({ kind: 'read', value: true })}
        >
          <MailOpen size={17} />
        </IconButton>
        {!isDeleted && !isDrafts && !isFlagged && (
          <span className="max-pane:hidden">
            <IconButton
              label={tAs('verb', 'Snooze')}
              keys={keysOf('snooze')}
              data-opens="snooze"
              onClick={event => onPanel('snooze', event.currentTarget)}
            >
              <Clock size={17} />
            </IconButton>
          </span>
        )}
        <Menu
          trigger={
            <IconButton tip={false} label={t('More')} data-opens="snooze">
              <MoreHorizontal size={17} />
            </IconButton>
          }
        >
          <MenuItem
            icon={<Mail size={16} />}
            keys={keysOf('unread')}
            onSelect={mark({ kind: 'read', value: false })}
          >
            {t('Mark unread')}
          </MenuItem>
          <MenuItem
            icon={<Star size={16} />}
            keys={keysOf('star')}
            onSelect={mark({ kind: 'star', value: true })}
          >
            {tAs('verb', 'Star')}
          </MenuItem>
          <MenuItem icon={<Star size={16} />} onSelect={mark({ kind: 'star', value: false })}>
            {t('Remove star')}
          </MenuItem>
          {!isDeleted && !isDrafts && !isFlagged && (
            <>
              <MenuItem
                icon={<Clock size={16} />}
                keys={keysOf('snooze')}
                onSelect={() =>
                  onPanel('snooze', document.querySelector('[data-opens="snooze"]') ?? document.body)
                }
              >
                {tAs('verb', 'Snooze')}
              </MenuItem>
              <MenuItem
                icon={<ShieldBan size={16} />}
                keys={keysOf('spam')}
                onSelect={mark({ kind: 'flag', value: true })}
              >
                {t('Mark as spam')}
              </MenuItem>
            </>
          )}
        </Menu>
      </div>
    </div>
  );
}

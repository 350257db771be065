// The head of the list while rows are checked: how many, and what can be done with all of them.
import { Archive, ArchiveRestore, Mail, MailOpen, MoreHorizontal, Star, Tag, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/words.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { Spinner } from '../../ui/Spinner.tsx';

export interface BulkActions {
  onArchive: () => void;
  onDelete: () => void;
  onMarkRead: () => void;
  onMarkUnread: () => void;
  onStar: () => void;
  /** Only in Deleted. */
  onRestore?: (() => void) | undefined;
}

interface BulkBarProps {
  count: number;
  /** Every loaded row is checked. */
  isAll: boolean;
  onClear: () => void;
  actions: BulkActions;
  /** The tag picker; its trigger is the icon with the label "Tag". */
  tagMenu?: (trigger: React.ReactElement) => ReactNode;
  isBusy?: boolean;
}

/** Replaces ListHeader. */
export function BulkBar({ count, isAll, onClear, actions, tagMenu, isBusy = false }: BulkBarProps) {
  const tagTrigger = (
    <IconButton tip={false} label="Tag">
      <Tag size={17} />
    </IconButton>
  );
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2">
      <Checkbox label="Clear selection" checked={isAll ? true : 'mixed'} onChange={onClear} />
      <h1 className="truncate text-pane font-strong tracking-tight tabular-nums">
        {formatCount(count)} selected
      </h1>
      {isBusy && <Spinner className="text-ink-3" />}
      <span className="flex-1" />
      <div role="toolbar" aria-label="Selected messages" className="flex">
        {actions.onRestore === undefined ? (
          <IconButton label="Archive" keys="e" onClick={actions.onArchive}>
            <Archive size={17} />
          </IconButton>
        ) : (
          <IconButton label="Restore" onClick={actions.onRestore}>
            <ArchiveRestore size={17} />
          </IconButton>
        )}
        <IconButton
          label={actions.onRestore === undefined ? 'Delete' : 'Delete for ever'}
          keys="#"
          onClick={actions.onDelete}
        >
          <Trash2 size={17} />
        </IconButton>
        {tagMenu?.(tagTrigger)}
        <IconButton label="Mark read" keys="Shift i" onClick={actions.onMarkRead}>
          <MailOpen size={17} />
        </IconButton>
        <Menu
          trigger={
            <IconButton tip={false} label="More">
              <MoreHorizontal size={17} />
            </IconButton>
          }
        >
          <MenuItem icon={<Mail size={16} />} keys="Shift u" onSelect={actions.onMarkUnread}>
            Mark unread
          </MenuItem>
          <MenuItem icon={<Star size={16} />} keys="s" onSelect={actions.onStar}>
            Star
          </MenuItem>
        </Menu>
      </div>
    </div>
  );
}

// The bar over the open conversation: away with it, mark it, tag it, and the rarer things in a menu.
import {
  Archive,
  ArchiveRestore,
  ArrowLeft,
  Mail,
  MoreHorizontal,
  Printer,
  ShieldBan,
  Star,
  Tag,
  Trash2,
} from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { MenuSeparator } from '../../ui/MenuSeparator.tsx';

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
  onBlockSender?: (() => void) | undefined;
  onReportSpam?: (() => void) | undefined;
}

interface ReaderToolbarProps {
  actions: ReaderActions;
  isStarred: boolean;
  /** Only one pane is shown: the arrow back to the list is there. */
  hasBack: boolean;
  /** Wraps the tag button into its picker. */
  tagMenu?: ((trigger: ReactElement) => ReactNode) | undefined;
}

/** 48 px high. */
export function ReaderToolbar({ actions, isStarred, hasBack, tagMenu }: ReaderToolbarProps) {
  const tagTrigger = (
    <IconButton tip={false} label="Tag" keys="l">
      <Tag size={17} />
    </IconButton>
  );
  return (
    <div
      role="toolbar"
      aria-label="Conversation actions"
      className="flex h-12 shrink-0 items-center gap-0.5 border-b border-line px-3 max-pane:gap-0 max-pane:px-1.5 print:hidden"
    >
      {hasBack && (
        <IconButton label="Back" keys="u" onClick={actions.onBack}>
          <ArrowLeft size={19} className="rtl:-scale-x-100" />
        </IconButton>
      )}
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
      <IconButton label="Mark unread" keys="Shift u" onClick={actions.onMarkUnread}>
        <Mail size={17} />
      </IconButton>
      <span aria-hidden className="mx-1.5 h-5 w-px bg-line" />
      {tagMenu?.(tagTrigger)}
      <IconButton variant="star" label="Star" keys="s" aria-pressed={isStarred} onClick={actions.onStar}>
        <Star size={17} />
      </IconButton>
      <span className="flex-1" />
      <span className="max-pane:hidden">
        <IconButton label="Print" onClick={actions.onPrint}>
          <Printer size={17} />
        </IconButton>
      </span>
      <Menu
        trigger={
          <IconButton tip={false} label="More">
            <MoreHorizontal size={17} />
          </IconButton>
        }
      >
        <MenuItem onSelect={actions.onViewHeaders}>View headers</MenuItem>
        <MenuItem onSelect={actions.onViewSource}>View source</MenuItem>
        <MenuItem onSelect={actions.onDownloadRaw}>Download .eml</MenuItem>
        {(actions.onBlockSender ?? actions.onReportSpam) !== undefined && <MenuSeparator />}
        {actions.onBlockSender !== undefined && (
          <MenuItem icon={<ShieldBan size={16} />} onSelect={actions.onBlockSender}>
            Block sender
          </MenuItem>
        )}
        {actions.onReportSpam !== undefined && (
          <MenuItem keys="!" onSelect={actions.onReportSpam}>
            Report as spam
          </MenuItem>
        )}
      </Menu>
    </div>
  );
}

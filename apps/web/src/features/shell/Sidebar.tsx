// Navigation of the mailbox: compose, folders, tags, storage. Collapses to a 56 px rail with icons
// only.
import {
  AlarmClock,
  Archive,
  CalendarClock,
  FilePenLine,
  Flag,
  Inbox,
  type LucideIcon,
  Mails,
  PenLine,
  Send,
  Star,
  Trash2,
} from 'lucide-react';
import { Link } from 'react-router';
import { t } from '../../lib/language.ts';
import { type FolderTag, folders, inboxPath, mailPath, recieved } from '../../paths.ts';
import { keysOf } from '../../session/commands/shortcut-keys.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Brand } from './Brand.tsx';
import { NavEntry } from './NavEntry.tsx';
import { SidebarTags } from './SidebarTags.tsx';
import { StorageMeter } from './StorageMeter.tsx';
import type { FolderCountView, SidebarTagView, StorageView } from './view-model.ts';

/** Folders that accept dragged messages. */
const dropTargets: readonly FolderTag[] = ['recieved', 'starred', 'archived', 'flagged', 'deleted'];

export type SidebarProps = {
  /** Tag in the path; null outside the mailbox. */
  current: string | null;
  counts: readonly FolderCountView[];
  tags: readonly SidebarTagView[];
  storage: StorageView | null;
  isRail: boolean;
  onCompose: () => void;
  /** Called when the displayed tag was renamed or removed. */
  onMoved: (path: string) => void;
  /** Called when a link was followed, to close the drawer. */
  onNavigate?: () => void;
  onDropOnFolder?: (folder: FolderTag, ids: string[]) => void;
  onDropOnTag?: (tag: string, ids: string[]) => void;
};

export function Sidebar(props: SidebarProps) {
  const {
    current,
    counts,
    tags,
    storage,
    isRail,
    onCompose,
    onMoved,
    onNavigate,
    onDropOnFolder,
    onDropOnTag,
  } = props;
  return (
    <nav
      aria-label={t('Mailbox')}
      className="flex h-full min-h-0 flex-col gap-0.5 overflow-auto px-2.5 pt-2.5 pb-3"
    >
      <Link to={inboxPath} onClick={onNavigate} className="mb-2.5 rounded-nav no-underline">
        <Brand markOnly={isRail} className={isRail ? 'h-9 justify-center' : 'h-9 ps-1.5'} />
      </Link>
      {isRail ? (
        <IconButton
          variant="fill"
          size="lg"
          label={t('Compose')}
          keys={keysOf('compose')}
          onClick={onCompose}
          className="mb-2.5"
        >
          <PenLine size={17} />
        </IconButton>
      ) : (
        <Button onClick={onCompose} className="mb-2.5" aria-keyshortcuts="c">
          <PenLine size={16} />
          <span className="flex-1 text-start">{t('Compose')}</span>
          <kbd aria-hidden className="font-sans text-tiny opacity-80 pointer-coarse:hidden">
            C
          </kbd>
        </Button>
      )}
      {folders.map(({ tag, label }) => {
        const Icon = folderIcons[tag];
        return (
          <NavEntry
            key={tag}
            to={mailPath(tag)}
            icon={<Icon size={17} />}
            label={t(label)}
            badge={counts.find(entry => entry.tag === tag)}
            isCurrent={tag === current}
            isRail={isRail}
            onNavigate={onNavigate}
            onDropMail={
              onDropOnFolder !== undefined && dropTargets.includes(tag)
                ? ids => onDropOnFolder(tag, ids)
                : undefined
            }
          />
        );
      })}
      <SidebarTags
        current={current}
        tags={tags}
        isRail={isRail}
        onNavigate={onNavigate}
        onMoved={onMoved}
        onDrop={onDropOnTag}
      />
      {storage !== null && !isRail && <StorageMeter storage={storage} />}
    </nav>
  );
}

/** Icons by the tag in the path. */
const folderIcons: Record<FolderTag, LucideIcon> = {
  [recieved]: Inbox,
  starred: Star,
  sent: Send,
  scheduled: CalendarClock,
  snoozed: AlarmClock,
  drafts: FilePenLine,
  archived: Archive,
  flagged: Flag,
  deleted: Trash2,
  all: Mails,
};

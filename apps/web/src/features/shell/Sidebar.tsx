// The navigation of the mailbox: compose, folders, tags, storage. As a 56 px rail only the icons are left.
import { PenLine, Plus } from 'lucide-react';
import { Link } from 'react-router';
import { type FolderTag, folders, inboxPath, mailPath } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { TagDot } from '../../ui/TagDot.tsx';
import { Brand } from './Brand.tsx';
import { folderIcons } from './folder-icons.ts';
import { NavEntry } from './NavEntry.tsx';
import { StorageMeter } from './StorageMeter.tsx';
import type { FolderCountView, SidebarTagView, StorageView } from './view-model.ts';

/** Where dragged mail may be dropped. */
const dropTargets: readonly FolderTag[] = ['recieved', 'starred', 'archived', 'deleted'];

export interface SidebarProps {
  /** The tag of the path, null outside the mailbox. */
  current: string | null;
  counts: readonly FolderCountView[];
  tags: readonly SidebarTagView[];
  storage: StorageView | null;
  isRail: boolean;
  onCompose: () => void;
  onNewTag?: (() => void) | undefined;
  /** A link was followed: a drawer closes. */
  onNavigate?: () => void;
  onDropOnFolder?: (folder: FolderTag, ids: string[]) => void;
  onDropOnTag?: (tag: string, ids: string[]) => void;
}

/** The left pane. */
export function Sidebar(props: SidebarProps) {
  const {
    current,
    counts,
    tags,
    storage,
    isRail,
    onCompose,
    onNewTag,
    onNavigate,
    onDropOnFolder,
    onDropOnTag,
  } = props;
  const countOf = (tag: string) => counts.find(entry => entry.tag === tag)?.count ?? 0;
  return (
    <nav
      aria-label="Mailbox"
      className="flex h-full min-h-0 flex-col gap-0.5 overflow-auto px-2.5 pt-2.5 pb-3"
    >
      <Link to={inboxPath} onClick={onNavigate} className="mb-2.5 rounded-nav no-underline">
        <Brand markOnly={isRail} className={isRail ? 'h-9 justify-center' : 'h-9 ps-1.5'} />
      </Link>
      {isRail ? (
        <IconButton variant="fill" size="lg" label="Compose" keys="c" onClick={onCompose} className="mb-2.5">
          <PenLine size={17} />
        </IconButton>
      ) : (
        <Button onClick={onCompose} className="mb-2.5" aria-keyshortcuts="c">
          <PenLine size={16} />
          <span className="flex-1 text-start">Compose</span>
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
            label={label}
            count={countOf(tag)}
            countLabel={tag === 'drafts' || tag === 'flagged' ? 'in all' : 'unread'}
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
      {isRail ? (
        <hr className="mx-1 my-2 border-line" />
      ) : (
        (tags.length > 0 || onNewTag !== undefined) && (
          <h2 className="mx-2 mt-4 mb-1 flex items-center justify-between text-meta font-semibold text-ink-3">
            Tags
            {onNewTag !== undefined && (
              <IconButton size="xs" label="New tag" onClick={onNewTag}>
                <Plus size={14} />
              </IconButton>
            )}
          </h2>
        )
      )}
      {tags.map(tag => (
        <NavEntry
          key={tag.name}
          to={mailPath(tag.name)}
          icon={<TagDot color={tag.color} />}
          label={tag.name}
          count={tag.unread}
          isCurrent={tag.name === current}
          isRail={isRail}
          onNavigate={onNavigate}
          onDropMail={onDropOnTag === undefined ? undefined : ids => onDropOnTag(tag.name, ids)}
        />
      ))}
      {storage !== null && !isRail && <StorageMeter storage={storage} />}
    </nav>
  );
}

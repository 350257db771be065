// The tags in the sidebar: each links to its list and accepts dropped messages. A button creates a
// tag, a menu edits one.
import { MoreHorizontal, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { mailPath } from '../../paths.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { TagDot } from '../../ui/TagDot.tsx';
import { badgeOf } from '../mail/state/folders.ts';
import { NavEntry } from './NavEntry.tsx';
import type { SidebarTagView } from './view-model.ts';

const TagMenu = lazy(async () => ({
  default: (await loadChunk('tag-menu', () => import('../tags/TagMenu.tsx'))).TagMenu,
}));
const TagDialog = lazy(async () => ({
  default: (await loadChunk('tag', () => import('../tags/TagDialog.tsx'))).TagDialog,
}));

type SidebarTagsProps = {
  current: string | null;
  tags: readonly SidebarTagView[];
  isRail: boolean;
  onNavigate?: (() => void) | undefined;
  /** Called when the displayed tag was renamed or removed. */
  onMoved: (path: string) => void;
  onDrop?: ((tag: string, ids: string[]) => void) | undefined;
};

/** Below the folders; on the rail only the dots. */
export function SidebarTags({ current, tags, isRail, onNavigate, onMoved, onDrop }: SidebarTagsProps) {
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      {isRail ? (
        <hr className="mx-1 my-2 border-line" />
      ) : (
        <h2
          id="tags"
          tabIndex={-1}
          className="mx-2 mt-4 mb-1 flex items-center justify-between text-meta font-semibold text-ink-3"
        >
          {t('Tags')}
          <IconButton size="xs" label={t('New tag')} onClick={() => setMaking(true)}>
            <Plus size={14} />
          </IconButton>
        </h2>
      )}
      {tags.map(tag => (
        <div key={tag.name} className="group/tag relative">
          <NavEntry
            to={mailPath(tag.name)}
            icon={<TagDot color={tag.color} />}
            label={tag.name}
            badge={badgeOf(tag.name, tag) ?? undefined}
            isCurrent={tag.name === current}
            isRail={isRail}
            hasEnd={!isRail}
            onNavigate={onNavigate}
            onDropMail={onDrop === undefined ? undefined : ids => onDrop(tag.name, ids)}
          />
          {!isRail && (
            <span className="absolute end-1 top-1/2 -translate-y-1/2 opacity-0 group-focus-within/tag:opacity-100 group-hover/tag:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100">
              <Suspense>
                <TagMenu
                  tag={tag}
                  mails={tag.total}
                  trigger={
                    <IconButton
                      tip={false}
                      size="xs"
                      label={t('More actions for tag {name}', { name: tag.name })}
                    >
                      <MoreHorizontal size={14} />
                    </IconButton>
                  }
                  onRenamed={name => tag.name === current && onMoved(mailPath(name))}
                  onRemoved={() => tag.name === current && onMoved(mailPath('recieved'))}
                />
              </Suspense>
            </span>
          )}
        </div>
      ))}
      {isMaking && (
        <Suspense>
          <TagDialog tag={null} onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </>
  );
}

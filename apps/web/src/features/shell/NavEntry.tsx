// One line of the sidebar: icon or dot, label, count. On the rail only the icon, with the label as
// a tooltip.
import type { DragEvent, ReactNode } from 'react';
import { useState } from 'react';
import { Link } from 'react-router';
import { cn } from '../../lib/class-names.ts';
import { formatCount, joinParts } from '../../lib/words.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { mailDragType } from '../mail/list/mail-drag.ts';
import type { FolderBadge } from '../mail/state/folders.ts';

type NavEntryProps = {
  to: string;
  icon: ReactNode;
  label: string;
  badge?: FolderBadge | undefined;
  isCurrent: boolean;
  isRail: boolean;
  /** A control appears at its end on hover, so the count moves aside. */
  hasEnd?: boolean;
  onNavigate?: (() => void) | undefined;
  /** Called when messages were dropped on it. */
  onDropMail?: ((ids: string[]) => void) | undefined;
};

/** Returns the ids in a drop, or an empty list. */
function droppedIds(event: DragEvent): string[] {
  try {
    const ids: unknown = JSON.parse(event.dataTransfer.getData(mailDragType));
    return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** A link of the navigation. */
export function NavEntry(props: NavEntryProps) {
  const { to, icon, label, badge, isCurrent, isRail, hasEnd = false, onNavigate, onDropMail } = props;
  const [isOver, setOver] = useState(false);
  const link = (
    <Link
      to={to}
      onClick={onNavigate}
      aria-current={isCurrent ? 'page' : undefined}
      onDragOver={event => {
        if (onDropMail === undefined || !event.dataTransfer.types.includes(mailDragType)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        setOver(false);
        const ids = droppedIds(event);
        if (ids.length === 0) return;
        event.preventDefault();
        onDropMail?.(ids);
      }}
      className={cn(
        'relative flex min-h-8 items-center rounded-nav font-medium text-ink-2 no-underline pointer-coarse:min-h-11',
        'hover:bg-hover aria-[current=page]:bg-selected-strong aria-[current=page]:font-semibold aria-[current=page]:text-accent-text',
        isRail ? 'justify-center' : 'gap-2.5 px-2.5',
        isOver && 'outline-2 outline-accent',
      )}
    >
      <span aria-hidden className="grid w-[17px] shrink-0 place-items-center">
        {icon}
      </span>
      <span dir="auto" className={cn(isRail ? 'sr-only' : 'min-w-0 truncate')}>
        {label}
      </span>
      {badge !== undefined && badge.count > 0 && (
        <span
          className={cn(
            'tabular-nums',
            isRail
              ? 'absolute end-1.5 top-1.5 size-1.5 overflow-hidden rounded-full bg-accent text-transparent'
              : 'ms-auto text-meta text-ink-3 in-aria-[current=page]:text-accent-text',
            hasEnd && 'group-focus-within/tag:me-6 group-hover/tag:me-6 pointer-coarse:me-8',
          )}
        >
          <span aria-hidden>{formatCount(badge.count)}</span>
          <span className="sr-only">, {badge.text}</span>
        </span>
      )}
    </Link>
  );
  return isRail ? (
    <Tooltip text={badge !== undefined && badge.count > 0 ? joinParts([label, badge.text]) : label}>
      {link}
    </Tooltip>
  ) : (
    link
  );
}

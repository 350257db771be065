// List and reader side by side, or one of them: three panes from 1280 px, two beside the rail from
// 1024 px, one below, and on a phone the reader over everything. The list width can be dragged and
// is stored.
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { findSetting, keepSetting } from '../../lib/local-storage.ts';
import { PaneResizer } from '../../ui/PaneResizer.tsx';

const MIN_LIST_PX = 320;
const MAX_LIST_PX = 408;
const widthKey = 'list_width';

/** Returns the stored width in pixels; the maximum when there is none. */
function findListWidth(): number {
  const kept = Number(findSetting(widthKey));
  return kept >= MIN_LIST_PX && kept <= MAX_LIST_PX ? kept : MAX_LIST_PX;
}

type MailPanesProps = {
  list: ReactNode;
  reader: ReactNode;
  /** A conversation is open: with one pane the reader replaces the list. */
  isReading: boolean;
  /** Corresponds to the setting "no reading pane", which uses one pane at every width. */
  hasReadingPane: boolean;
};

export function MailPanes({ list, reader, isReading, hasReadingPane }: MailPanesProps) {
  const [listWidth, setListWidth] = useState(findListWidth);
  const panes = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    panes.current?.style.setProperty('--list-width', `${listWidth}px`);
  }, [listWidth]);
  const resize = (width: number) => {
    setListWidth(width);
    keepSetting(widthKey, String(width));
  };
  return (
    <div
      ref={panes}
      className={cn(
        'grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]',
        hasReadingPane && 'rail:grid-cols-[var(--list-width)_minmax(0,1fr)]',
      )}
    >
      <div
        className={cn(
          'relative min-h-0 min-w-0 print:hidden',
          hasReadingPane && 'rail:border-e rail:border-line',
          isReading && (hasReadingPane ? 'max-rail:hidden' : 'hidden'),
        )}
      >
        {list}
        {hasReadingPane && (
          <div className="max-rail:hidden">
            <PaneResizer
              label={t('List width')}
              width={listWidth}
              min={MIN_LIST_PX}
              max={MAX_LIST_PX}
              onResize={resize}
            />
          </div>
        )}
      </div>
      <div
        className={cn(
          'min-h-0 min-w-0',
          !isReading && (hasReadingPane ? 'max-rail:hidden' : 'hidden'),
          isReading &&
            'max-pane:fixed max-pane:inset-0 max-pane:z-20 max-pane:bg-surface max-pane:pt-(--inset-top)',
        )}
      >
        {reader}
      </div>
    </div>
  );
}

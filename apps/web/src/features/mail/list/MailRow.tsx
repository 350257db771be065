// One conversation in the list: a real link over the whole row, with the checkbox, the star and, on
// hover, the actions above it. Memoized: its parent passes one stable actions object, so changes
// elsewhere do not rerender it.
import { Star } from 'lucide-react';
import { type DragEvent, type MouseEvent, memo, useEffect, useRef, useState } from 'react';
import { cn } from '../../../lib/class-names.ts';
import { formatListDate } from '../../../lib/dates.ts';
import { tAs } from '../../../lib/language.ts';
import { POINTED_AFTER_MS } from '../../../timing.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { MailAction } from '../state/mail-actions.ts';
import type { Density, MailRowView } from '../state/view-model.ts';
import { MailRowText } from './MailRowText.tsx';
import { startMailDrag } from './mail-drag.ts';
import { RowHoverActions } from './RowHoverActions.tsx';
import { RowSelector } from './RowSelector.tsx';
import { rowLabel } from './row-label.ts';

/** Heights in pixels. Phones always use `comfortable`. */
export const rowHeights = { comfortable: 80, compact: 56, line: 40 } as const satisfies Record<
  Density,
  number
>;

/** `range` extends from the last selected row to this one. */
export type CheckMode = 'one' | 'range';

/** Actions of a row, by id. The object must stay the same between renders. */
export type MailRowActions = {
  hrefOf(id: string): string;
  onOpen(id: string): void;
  onCheck(id: string, mode: CheckMode): void;
  /** Performs an action from mail-actions.ts; a panel opens beside the element. */
  onAct(id: string, action: MailAction, anchor: Element): void;
  /** Opens the context menu at the mouse position or, without a point, at the row. */
  onMenu(id: string, point?: { readonly x: number; readonly y: number }): void;
  /** Returns the rows that move when this one is dragged. */
  dragged(id: string): readonly string[];
};

export type MailRowProps = {
  row: MailRowView;
  density: Density;
  isOpen: boolean;
  isChecked: boolean;
  /** The only row in the Tab order. */
  isActive: boolean;
  /** The day that dates are relative to. */
  now: Date;
  actions: MailRowActions;
};

const textLook = {
  comfortable: 'py-2.5 ps-16 pe-3',
  compact: 'py-2 ps-16 pe-3',
  line: 'flex items-center gap-3 ps-12 pe-12 group-data-pointed/row:pe-37',
} as const;

export const rowLook = { comfortable: 'h-20', compact: 'h-14', line: 'h-10' } as const;

type RowPartProps = Pick<MailRowProps, 'row' | 'density' | 'actions'> & {
  tabIndex: 0 | -1;
};

function RowStar({ row, density, actions, tabIndex }: RowPartProps) {
  return (
    <IconButton
      tip={false}
      variant="star"
      size="xs"
      label={tAs('verb', 'Star')}
      tabIndex={tabIndex}
      aria-pressed={row.starred}
      onClick={event => actions.onAct(row.id, row.starred ? 'unstar' : 'star', event.currentTarget)}
      className={cn(
        'absolute end-2.5 z-1 pointer-coarse:end-0 pointer-coarse:-bottom-0.5 pointer-coarse:size-11',
        density === 'line'
          ? 'top-2 pointer-coarse:-top-0.5'
          : density === 'compact'
            ? 'bottom-1'
            : 'bottom-2',
      )}
    >
      <Star size={15} />
    </IconButton>
  );
}

/** The link over the whole row. Its accessible name contains everything that the row shows. */
function RowLink(props: RowPartProps & { dateText: string; isOpen: boolean }) {
  const { row, actions, dateText, isOpen, tabIndex } = props;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    if (event.shiftKey) actions.onCheck(row.id, 'range');
    else if (event.ctrlKey || event.metaKey) actions.onCheck(row.id, 'one');
    else actions.onOpen(row.id);
  };
  const startDrag = ({ dataTransfer }: DragEvent) => startMailDrag(dataTransfer, actions.dragged(row.id));
  return (
    <a
      href={actions.hrefOf(row.id)}
      data-row-focus
      tabIndex={tabIndex}
      aria-current={isOpen || undefined}
      onClick={open}
      onDragStart={startDrag}
      className="absolute inset-0 -outline-offset-2"
    >
      <span className="sr-only">{rowLabel(row, dateText)}</span>
    </a>
  );
}

function openMenu(
  event: MouseEvent<HTMLElement, PointerEvent | globalThis.MouseEvent>,
  id: string,
  actions: MailRowActions,
): void {
  const { nativeEvent, clientX: x, clientY: y } = event;
  // A long press selects the row (list-press.ts).
  if (event.defaultPrevented || ('pointerType' in nativeEvent && nativeEvent.pointerType === 'touch')) return;
  event.preventDefault();
  const isByMouse = event.button === 2 || event.ctrlKey;
  actions.onMenu(id, isByMouse ? { x, y } : undefined);
}

/** Returns whether the row is hovered. Rows that scroll past a motionless mouse do not count. */
function usePointing() {
  const [isPointedAt, setPointedAt] = useState(false);
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  return {
    isPointedAt,
    startPointing: () => {
      rest.current = setTimeout(() => setPointedAt(true), POINTED_AFTER_MS);
    },
    endPointing: () => {
      clearTimeout(rest.current);
      setPointedAt(false);
    },
  };
}

function PlainMailRow({ row, density, isOpen, isChecked, isActive, now, actions }: MailRowProps) {
  const { isPointedAt, startPointing, endPointing } = usePointing();
  const tabIndex = isActive ? 0 : -1;
  const dateText = formatListDate(new Date(row.date), now);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key asks for the same
    <div
      data-row={row.id}
      data-place={row.place}
      data-unread={row.unread || undefined}
      data-open={isOpen || undefined}
      data-checked={isChecked || undefined}
      data-pointed={isPointedAt || undefined}
      data-pending={row.activity === 'pending' || undefined}
      onPointerEnter={event => event.pointerType === 'mouse' && startPointing()}
      onPointerLeave={endPointing}
      onContextMenu={event => openMenu(event, row.id, actions)}
      className={cn(
        'group/row relative border-b border-line bg-surface hover:bg-hover data-open:bg-selected data-checked:bg-selected-strong data-pending:opacity-60',
        'before:absolute before:start-[7px] before:top-1/2 before:size-[7px] before:rounded-full data-unread:before:bg-accent',
        density === 'comfortable' ? 'before:-mt-2' : 'before:-mt-1',
        rowLook[density],
      )}
    >
      {/* Screen readers use the link's label; this text is only visual. */}
      <div aria-hidden className={cn('pointer-events-none absolute inset-0 select-none', textLook[density])}>
        <MailRowText row={row} density={density} dateText={dateText} />
      </div>
      <RowLink
        row={row}
        density={density}
        actions={actions}
        tabIndex={tabIndex}
        dateText={dateText}
        isOpen={isOpen}
      />
      <RowSelector row={row} density={density} isChecked={isChecked} tabIndex={tabIndex} actions={actions} />
      {isPointedAt && <RowHoverActions row={row} density={density} actions={actions} />}
      <RowStar row={row} density={density} actions={actions} tabIndex={tabIndex} />
    </div>
  );
}

/** Rerenders only when its own props change. */
export const MailRow = memo(PlainMailRow);

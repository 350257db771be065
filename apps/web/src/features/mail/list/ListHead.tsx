// The list header: name and count, or the actions for the selected rows.
import { type ComponentProps, Suspense } from 'react';
import type { Place } from '../state/mail-places.ts';
import { ListHeader } from './ListHeader.tsx';
import { BulkBar } from './lazy-parts.ts';
import type { ListRows } from './list-rows.ts';
import type { OnAct } from './OfferButton.tsx';
import type { useSelection } from './use-selection.ts';

type ListHeadProps = Omit<ComponentProps<typeof ListHeader>, 'onCheckAll'> & {
  rows: ListRows;
  selection: ReturnType<typeof useSelection>;
  /** Returns the places of the selected conversations. */
  selectedPlaces: () => readonly Place[];
  onActSelection: OnAct;
};

/** 48 px high. */
export function ListHead({ rows, selection, selectedPlaces, onActSelection, ...plain }: ListHeadProps) {
  const header = <ListHeader {...plain} onCheckAll={rows.length === 0 ? undefined : selection.checkAll} />;
  if (selection.count === 0) return header;
  return (
    <Suspense fallback={header}>
      <BulkBar
        where={selectedPlaces()}
        count={selection.count}
        isAll={
          selection.isWhole ? selection.unchecked.length === 0 : selection.checked.size === rows.presentCount
        }
        onClear={selection.clear}
        onAct={onActSelection}
      />
    </Suspense>
  );
}

// The context menu of the list: what can be done with the conversation that was clicked, or with all that are selected when
// it is one of them. A chunk of its own, fetched at first use.
import { useMemo } from 'react';
import { t } from '../../../lib/language.ts';
import { MenuPopup } from '../../../ui/MenuPopup.tsx';
import { offersAt, type Subject } from '../state/mail-actions.ts';
import type { OnAct } from './OfferButton.tsx';
import { OfferItems } from './OfferItems.tsx';

export type RowMenuState = {
  /** The row that it was asked for. */
  readonly id: string;
  /** Where the mouse was; the row itself when a key asked. */
  readonly point: { readonly x: number; readonly y: number } | undefined;
  /** The selection is meant. */
  readonly isSelection: boolean;
  readonly subject: Subject;
  readonly isOpen: boolean;
};

const elementOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#list [data-row="${CSS.escape(id)}"]`);

type RowMenuProps = {
  menu: RowMenuState;
  onAct: OnAct;
  onClose: () => void;
};

/** At the pointer, or under the row. */
export function RowMenu({ menu, onAct, onClose }: RowMenuProps) {
  const { id, point, subject } = menu;
  const anchor = useMemo(
    () =>
      point === undefined
        ? elementOf(id)
        : { getBoundingClientRect: () => DOMRect.fromRect({ x: point.x, y: point.y }) },
    [id, point],
  );
  // Elements of the list are used again: the row is looked up when it gets the focus back.
  const control = {
    get current() {
      return elementOf(id)?.querySelector<HTMLElement>('[data-row-focus]') ?? null;
    },
  };
  return (
    <MenuPopup
      control={control}
      anchor={anchor}
      label={menu.isSelection ? t('Selected messages') : t('Conversation actions')}
      align="start"
      isOpen={menu.isOpen}
      isByKey={point === undefined}
      onClose={onClose}
    >
      <OfferItems
        offers={offersAt('menu', subject)}
        onAct={offer => onAct(offer, elementOf(id) ?? document.body)}
      />
    </MenuPopup>
  );
}

// The context menu of the list: actions for the clicked conversation, or for the whole selection
// when it includes that conversation. A separate chunk, loaded at first use.
import { useMemo } from 'react';
import { t } from '../../../lib/language.ts';
import { MenuPopup } from '../../../ui/MenuPopup.tsx';
import { offersAt, type Subject } from '../state/mail-actions.ts';
import type { OnAct } from './OfferButton.tsx';
import { OfferItems } from './OfferItems.tsx';

export type RowMenuState = {
  /** Id of the row that the menu was opened for. */
  readonly id: string;
  /** Mouse position; undefined when a key opened the menu at the row. */
  readonly point: { readonly x: number; readonly y: number } | undefined;
  /** The menu applies to the selection. */
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

/** Opens at the pointer, or under the row. */
export function RowMenu({ menu, onAct, onClose }: RowMenuProps) {
  const { id, point, subject } = menu;
  const anchor = useMemo(
    () =>
      point === undefined
        ? elementOf(id)
        : { getBoundingClientRect: () => DOMRect.fromRect({ x: point.x, y: point.y }) },
    [id, point],
  );
  // List elements are recycled, so the row is looked up again when focus returns to it.
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

// The open part of a Menu, with everything that positions it and moves through it by keys.
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode, RefObject } from 'react';
import { MenuPartsContext } from './menu-parts.ts';

interface MenuPopupProps {
  control: RefObject<HTMLElement | null>;
  label: string | undefined;
  align: 'start' | 'center' | 'end';
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Anchored to `control`, which gets the focus back. */
export function MenuPopup({ control, label, align, isOpen, onClose, children }: MenuPopupProps) {
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(next, details) => {
        // A press on the control is its own click's business, which would open the menu again.
        const isOwnPress =
          details.event.target instanceof Node && control.current?.contains(details.event.target);
        if (!next && !(details.reason === 'outside-press' && isOwnPress)) onClose();
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={control} sideOffset={6} align={align} className="z-50 outline-none">
          <Base.Popup
            aria-label={label}
            finalFocus={control}
            className="max-h-(--available-height) min-w-52 overflow-auto rounded-card border border-line bg-raised p-1 text-base text-ink shadow-mid outline-none"
          >
            <MenuPartsContext value={Base}>{children}</MenuPartsContext>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

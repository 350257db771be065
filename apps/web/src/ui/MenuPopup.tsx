// The open part of a Menu, or a context menu, including positioning and keyboard navigation.
import { Menu as Base } from '@base-ui/react/menu';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useCloseRequest } from '../lib/close-request.ts';
import { MenuPartsContext } from './menu-parts.ts';

type MenuPopupProps = {
  control: RefObject<HTMLElement | null>;
  /** Where it opens, if not at `control`. */
  anchor?: Element | { getBoundingClientRect(): DOMRect } | null;
  label: string | undefined;
  align: 'start' | 'center' | 'end';
  isOpen: boolean;
  /** Whether a key opened it; the first entry then gets the focus. */
  isByKey: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** Returns whether the focus has already moved elsewhere. */
function hasFocusLeft(popup: HTMLElement | null): boolean {
  const { activeElement } = document;
  return activeElement !== null && activeElement !== document.body && popup?.contains(activeElement) !== true;
}

/** The popup of a menu; `control` gets the focus back. */
export function MenuPopup(props: MenuPopupProps) {
  const { control, anchor = null, label, align, isOpen, isByKey, onClose, children } = props;
  const popup = useRef<HTMLDivElement>(null);
  // Without CloseWatcher, each menu would add an entry to the history.
  useCloseRequest(isOpen && 'CloseWatcher' in globalThis, onClose);
  useEffect(() => {
    if (!isOpen || !isByKey) return;
    // Runs after the UI library has focused the popup itself.
    const frame = requestAnimationFrame(() => {
      popup.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [isOpen, isByKey]);
  return (
    <Base.Root open={isOpen} onOpenChange={next => !next && onClose()}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor ?? control}
          sideOffset={anchor === null ? 6 : 2}
          align={align}
          className="z-50 outline-none"
        >
          <Base.Popup
            ref={popup}
            aria-label={label}
            // Some systems request a menu again when the menu key is released.
            onContextMenu={event => event.preventDefault()}
            // The focus stays in a window that an entry has opened.
            finalFocus={() => (hasFocusLeft(popup.current) ? false : control.current)}
            className="max-h-(--available-height) min-w-52 overflow-auto rounded-card border border-line bg-raised p-1 text-base text-ink shadow-mid outline-none"
          >
            <MenuPartsContext value={Base}>{children}</MenuPartsContext>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

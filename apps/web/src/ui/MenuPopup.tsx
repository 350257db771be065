// The open part of a Menu, or a context menu, with everything that positions it and moves through it by keys.
import { Menu as Base } from '@base-ui/react/menu';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useCloseRequest } from '../lib/close-request.ts';
import { MenuPartsContext } from './menu-parts.ts';

type MenuPopupProps = {
  control: RefObject<HTMLElement | null>;
  /** Where it opens, when not at `control`. */
  anchor?: Element | { getBoundingClientRect(): DOMRect } | null;
  label: string | undefined;
  align: 'start' | 'center' | 'end';
  isOpen: boolean;
  /** Opened by a key: the first entry has the focus. */
  isByKey: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** Whether the focus is somewhere else already. */
function hasFocusLeft(popup: HTMLElement | null): boolean {
  const { activeElement } = document;
  return activeElement !== null && activeElement !== document.body && popup?.contains(activeElement) !== true;
}

/** `control` gets the focus back. */
export function MenuPopup(props: MenuPopupProps) {
  const { control, anchor = null, label, align, isOpen, isByKey, onClose, children } = props;
  const popup = useRef<HTMLDivElement>(null);
  // Without it each menu would put an entry into the history.
  useCloseRequest(isOpen && 'CloseWatcher' in globalThis, onClose);
  useEffect(() => {
    if (!isOpen || !isByKey) return;
    // After the kit has put the focus on the popup itself.
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
            // Some systems ask for a menu once more when its key is let go.
            onContextMenu={event => event.preventDefault()}
            // Not from a window that an entry has opened.
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

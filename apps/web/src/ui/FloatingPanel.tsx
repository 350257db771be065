// A panel that opens beside an existing element: a popover, or a bottom sheet on a phone. For
// choices that can be opened by a key as well as by a button.
import { Popover as Base } from '@base-ui/react/popover';
import { type ReactNode, type RefObject, useMemo, useRef } from 'react';
import { usePhone } from '../lib/media.ts';
import { Drawer } from './Drawer.tsx';

type FloatingPanelProps = {
  /**
   * The element it opens beside. It stays in place when that element goes, as the buttons over a
   * row do when the mouse leaves it. null: the middle of the page.
   */
  anchor: Element | null;
  label: string;
  onClose: () => void;
  initialFocus: RefObject<HTMLElement | null>;
  children: ReactNode;
};

/** Returns an anchor that keeps the element's position even after the element is gone. */
function keepPlace(element: Element) {
  let place = element.getBoundingClientRect();
  return {
    // The element's list may scroll.
    contextElement: element,
    getBoundingClientRect: () => {
      const now = element.getBoundingClientRect();
      if (element.isConnected && now.width > 0) place = now;
      return place;
    },
  };
}

/** Open while mounted. Returns the focus to where it was. */
export function FloatingPanel({ anchor, label, onClose, initialFocus, children }: FloatingPanelProps) {
  const isPhone = usePhone();
  const before = useRef(document.activeElement instanceof HTMLElement ? document.activeElement : null);
  const place = useMemo(() => anchor && keepPlace(anchor), [anchor]);
  if (isPhone) {
    return (
      <Drawer open onClose={onClose} title={label} side="bottom">
        <div className="p-3">{children}</div>
      </Drawer>
    );
  }
  return (
    <Base.Root open onOpenChange={next => !next && onClose()}>
      <Base.Portal>
        <Base.Positioner
          {...(place === null ? {} : { anchor: place })}
          sideOffset={6}
          align="start"
          collisionPadding={12}
          className="z-50"
        >
          <Base.Popup
            aria-label={label}
            initialFocus={initialFocus}
            finalFocus={before}
            className="w-72 max-w-[calc(100vw-24px)] rounded-card border border-line bg-raised p-2 text-base text-ink shadow-mid outline-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

// A panel that slides in from the side of a phone (navigation) or from the bottom (choices).
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { cn } from '../lib/class-names.ts';
import { useCloseRequest } from '../lib/close-request.ts';
import { useOpener } from './use-opener.ts';

type DrawerProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  side?: 'start' | 'bottom';
  /** Id of the requested element: it is scrolled into view and gets the initial focus. */
  startAt?: string | undefined;
  children: ReactNode;
};

function bringIntoView(id: string): HTMLElement | null {
  const wanted = document.getElementById(id);
  wanted?.scrollIntoView({ block: 'start' });
  return wanted;
}

/** A modal panel; Esc, the backdrop and the device's Back close it. */
export function Drawer({ open, onClose, title, side = 'start', startAt, children }: DrawerProps) {
  useCloseRequest(open, onClose);
  const opener = useOpener(open);
  return (
    <Base.Root open={open} onOpenChange={next => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-50 bg-shade" />
        <Base.Popup
          {...opener}
          initialFocus={startAt === undefined ? true : () => bringIntoView(startAt)}
          className={cn(
            'fixed z-50 flex flex-col overflow-auto bg-bg text-ink shadow-high outline-none transition-transform duration-150',
            'data-[ending-style]:opacity-0 data-[starting-style]:opacity-0',
            side === 'start'
              ? 'inset-y-0 start-0 w-[min(300px,84vw)] border-e border-line pt-(--inset-top)'
              : 'inset-x-0 bottom-0 max-h-[82dvh] rounded-t-dialog border-t border-line pb-(--inset-bottom)',
          )}
        >
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

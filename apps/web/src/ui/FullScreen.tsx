// A dark full-page layer for viewing one item: a bar on top, the item below. It traps the focus,
// closes on Esc, and returns the focus to where it came from.
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { useCloseRequest } from '../lib/close-request.ts';
import { useOpener } from './use-opener.ts';

type FullScreenProps = {
  /** Name for screen readers; the bar shows it. */
  title: string;
  onClose: () => void;
  bar: ReactNode;
  onKeyDown?: (event: React.KeyboardEvent) => void;
  children: ReactNode;
};

/** Open while mounted. */
export function FullScreen({ title, onClose, bar, onKeyDown, children }: FullScreenProps) {
  useCloseRequest(true, onClose);
  const opener = useOpener(true);
  return (
    <Base.Root open onOpenChange={next => !next && onClose()}>
      <Base.Portal>
        <Base.Popup
          {...opener}
          onKeyDown={onKeyDown}
          data-theme="dark"
          className="fixed inset-0 z-50 flex flex-col bg-bg pt-(--inset-top) pb-(--inset-bottom) text-ink outline-none print:hidden"
        >
          <div className="flex h-14 shrink-0 items-center gap-1 border-b border-line ps-4 pe-2">
            <Base.Title className="min-w-0 flex-1 truncate text-pane font-semibold" dir="auto">
              {title}
            </Base.Title>
            {bar}
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

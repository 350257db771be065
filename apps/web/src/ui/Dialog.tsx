// A modal window with a title, scrolling content and a row of buttons. The focus goes to
// `initialFocus`, never to Close.
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { cn } from '../lib/class-names.ts';
import { useCloseRequest } from '../lib/close-request.ts';
import { t } from '../lib/language.ts';
import { IconButton } from './IconButton.tsx';
import { useOpener } from './use-opener.ts';

type DialogProps = {
  open: boolean;
  /** Without it, the dialog can be left only through the actions it offers. */
  onClose?: () => void;
  title: string;
  footer?: ReactNode;
  wide?: boolean;
  /** While true neither Esc nor the backdrop closes it. */
  locked?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
};

/**
 * A modal dialog; `onClose`, if any, is called for Esc, the backdrop, the Close button and the
 * device's Back.
 */
export function Dialog({
  open,
  onClose,
  title,
  footer,
  wide = false,
  locked = false,
  initialFocus,
  children,
}: DialogProps) {
  useCloseRequest(open && !locked && onClose !== undefined, () => onClose?.());
  const opener = useOpener(open);
  return (
    <Base.Root open={open} onOpenChange={next => !next && !locked && onClose?.()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-50 bg-shade" />
        <Base.Popup
          {...opener}
          initialFocus={initialFocus ?? true}
          className={cn(
            'fixed inset-x-0 top-[max(16px,7dvh)] z-50 mx-auto flex max-h-[86dvh] w-[calc(100vw-32px)] flex-col rounded-dialog border border-line bg-raised text-ink shadow-high outline-none',
            wide ? 'max-w-[760px]' : 'max-w-[560px]',
          )}
        >
          <div className="flex min-h-14 shrink-0 items-center border-b border-line py-2 ps-5 pe-3">
            <Base.Title className="line-clamp-3 min-w-0 text-pane font-semibold wrap-anywhere">
              {title}
            </Base.Title>
            {onClose !== undefined && (
              <Base.Close
                disabled={locked}
                render={
                  <IconButton tip={false} label={t('Close')} className="ms-auto">
                    <X size={18} />
                  </IconButton>
                }
              />
            )}
          </div>
          <div className="flex-1 overflow-auto p-5">{children}</div>
          {footer !== undefined && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line p-4">{footer}</div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

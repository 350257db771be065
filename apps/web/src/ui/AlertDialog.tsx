// Asks for confirmation before an action that cannot be undone. The safe answer has the initial
// focus.
import { AlertDialog as Base } from '@base-ui/react/alert-dialog';
import { type ReactNode, useRef } from 'react';
import { useCloseRequest } from '../lib/close-request.ts';
import { t } from '../lib/language.ts';
import { Button } from './Button.tsx';
import { useOpener } from './use-opener.ts';

type AlertDialogProps = {
  open: boolean;
  title: string;
  confirmLabel: string;
  cancelLabel?: string;
  busy?: boolean;
  danger?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  children: ReactNode;
};

/** Renders a question with two answers; `busy` locks it while the answer is carried out. */
export function AlertDialog(props: AlertDialogProps) {
  const {
    open,
    title,
    confirmLabel,
    cancelLabel = t('Cancel'),
    busy = false,
    danger = true,
    onConfirm,
    onCancel,
    children,
  } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  useCloseRequest(open && !busy, onCancel);
  const opener = useOpener(open);
  return (
    <Base.Root open={open} onOpenChange={next => !next && !busy && onCancel()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-50 bg-shade" />
        <Base.Popup
          {...opener}
          initialFocus={cancel}
          className="fixed inset-x-0 top-[18dvh] z-50 mx-auto max-h-[76dvh] w-[calc(100vw-32px)] max-w-[440px] overflow-auto rounded-dialog border border-line bg-raised p-5 text-ink shadow-high outline-none"
        >
          <Base.Title className="mb-1.5 text-pane font-semibold">{title}</Base.Title>
          <Base.Description render={<div />} className="text-base text-ink-2">
            {children}
          </Base.Description>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Button ref={cancel} variant="outline" disabled={busy} onClick={onCancel}>
              {cancelLabel}
            </Button>
            <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

// A modal window around one form: its fields, their errors, and a footer with Cancel and the submit
// button.
import { type FormEvent, type ReactNode, useId } from 'react';
import { cn } from '../lib/class-names.ts';
import { t } from '../lib/language.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

type FormDialogProps = {
  title: string;
  wide?: boolean;
  /** Text of the submit button; "Save" by default. */
  submitLabel?: string;
  /** The action cannot be undone. */
  danger?: boolean;
  isBusy?: boolean;
  /** The current input cannot be submitted; the fields say why. */
  disabled?: boolean;
  /** The error shown under the fields. */
  problem?: string | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** Open while mounted; Enter in a field submits. */
export function FormDialog(props: FormDialogProps) {
  const { title, wide = false, submitLabel, danger = false, isBusy = false, disabled = false } = props;
  const { problem = null, onSubmit, onClose, children } = props;
  const form = useId();
  return (
    <Dialog
      open
      wide={wide}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            form={form}
            variant={danger ? 'danger' : 'primary'}
            busy={isBusy}
            disabled={disabled}
          >
            {submitLabel ?? t('Save')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          // The dialog may be inside another form's tree.
          event.stopPropagation();
          onSubmit();
        }}
        className={cn('flex flex-col', wide ? 'gap-5' : 'gap-4')}
      >
        {children}
        {problem !== null && (
          <p role="alert" className="text-control text-danger">
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  );
}

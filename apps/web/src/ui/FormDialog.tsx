// A modal window around one form: its fields, what is wrong with them, and a foot with Cancel and the button that submits.
import { type FormEvent, type ReactNode, useId } from 'react';
import { cn } from '../lib/class-names.ts';
import { t } from '../lib/language.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

type FormDialogProps = {
  title: string;
  wide?: boolean;
  /** The words of the button that submits; "Save" without it. */
  submitLabel?: string;
  /** What it does cannot be undone. */
  danger?: boolean;
  isBusy?: boolean;
  /** What is filled in cannot be submitted; the fields say why. */
  disabled?: boolean;
  /** What is wrong, told under the fields. */
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
          // It may stand inside another form's tree.
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

// Any day and time for sending later.
import { type FormEvent, useId, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { fieldValue, findScheduleProblem, laterChoices, whenWords } from './schedule.ts';

interface PickTimeDialogProps {
  onPick: (at: Date) => void;
  onClose: () => void;
}

const tomorrow = (): Date => laterChoices(new Date()).find(({ id }) => id === 'tomorrow')?.at ?? new Date();

/** Asks for the moment; it must lie ahead. */
export function PickTimeDialog({ onPick, onClose }: PickTimeDialogProps) {
  const [value, setValue] = useState(() => fieldValue(tomorrow()));
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const formId = useId();
  const at = new Date(value);
  const pick = (event: FormEvent) => {
    event.preventDefault();
    // The form stands inside the composer's tree.
    event.stopPropagation();
    const found = findScheduleProblem(at, new Date());
    setProblem(found);
    if (found === null) onPick(at);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Send later')}
      initialFocus={field}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" form={formId}>
            {t('Schedule')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={pick}>
        <TextField
          ref={field}
          type="datetime-local"
          label={t('Date and time')}
          value={value}
          min={fieldValue(new Date())}
          onChange={next => {
            setValue(next);
            setProblem(null);
          }}
          hint={Number.isNaN(at.getTime()) ? undefined : whenWords(at)}
          error={problem ?? undefined}
        />
      </form>
    </Dialog>
  );
}

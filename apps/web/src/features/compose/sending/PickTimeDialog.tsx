// A dialog to schedule a message for any date and time.
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { toFieldValue } from '../../../lib/time-zone.ts';
import { fromFieldValue } from '../../../lib/wall-time.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { findScheduleProblem, laterChoices, whenWords } from './schedule.ts';

type PickTimeDialogProps = {
  onPick: (at: Date) => void;
  onClose: () => void;
};

const tomorrow = (): Date => laterChoices(new Date()).find(({ id }) => id === 'tomorrow')?.at ?? new Date();

/** Asks for the send time, which must be in the future. */
export function PickTimeDialog({ onPick, onClose }: PickTimeDialogProps) {
  const [value, setValue] = useState(() => toFieldValue(tomorrow()));
  const [problem, setProblem] = useState<string | null>(null);
  const at = fromFieldValue(value);
  const pick = () => {
    const found = findScheduleProblem(at, new Date());
    setProblem(found);
    if (found === null) onPick(at);
  };
  return (
    <FormDialog title={t('Send later')} submitLabel={t('Schedule')} onSubmit={pick} onClose={onClose}>
      <TextField
        autoFocus
        type="datetime-local"
        label={t('Date and time')}
        value={value}
        min={toFieldValue(new Date())}
        onChange={next => {
          setValue(next);
          setProblem(null);
        }}
        hint={Number.isNaN(at.getTime()) ? undefined : whenWords(at)}
        error={problem ?? undefined}
      />
    </FormDialog>
  );
}

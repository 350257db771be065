// Suspends an account; its owner sees the reason.
import { suspensionReason } from '@keyfold/contract/calls/admin';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import type { RunAction } from './run-action.ts';

/** Returns the error text for a reason. */
const problemOf = (code: string | undefined): string =>
  code === 'too_small'
    ? t('Reason must be at least 5 characters')
    : t('Reason must be less than 500 characters');

type SuspendFormProps = RunAction & { reason: string; onReason: (reason: string) => void };

/** Shows the reason field and the button. */
export function SuspendForm({ reason, onReason, run, running }: SuspendFormProps) {
  const [problem, setProblem] = useState<string>();
  const suspend = () => {
    const checked = suspensionReason.safeParse(reason);
    setProblem(checked.success ? undefined : problemOf(checked.error.issues[0]?.code));
    if (checked.success) run({ kind: 'suspend', reason: checked.data });
  };
  return (
    <div>
      <TextArea
        label={t('Suspend account')}
        placeholder={t('Enter reason for suspension...')}
        rows={2}
        value={reason}
        disabled={running !== null}
        error={problem}
        onChange={text => {
          onReason(text);
          setProblem(undefined);
        }}
      />
      <div className="mt-2 flex items-center gap-3">
        <span className="text-meta text-ink-2">{t('5 to 499 characters')}</span>
        <Button
          className="ms-auto"
          variant="danger"
          busy={running === 'suspend'}
          disabled={reason.trim() === '' || (running !== null && running !== 'suspend')}
          onClick={suspend}
        >
          {t('Suspend')}
        </Button>
      </div>
    </div>
  );
}

// Asks once before a letter goes that looks unfinished.
import { t } from '../../../lib/language.ts';
import { AlertDialog } from '../../../ui/AlertDialog.tsx';
import { type Reminder, reminderWords } from './reminders.ts';

type SendQuestionProps = {
  reminders: readonly Reminder[];
  onSend: () => void;
  onBack: () => void;
};

/** A question over the composer; going back is the safe answer. */
export function SendQuestion({ reminders, onSend, onBack }: SendQuestionProps) {
  return (
    <AlertDialog
      open
      danger={false}
      title={t('Send it as it is?')}
      confirmLabel={t('Send anyway')}
      cancelLabel={t('Back to the message')}
      onConfirm={onSend}
      onCancel={onBack}
    >
      {reminders.map(one => (
        <p key={one}>{reminderWords(one)}</p>
      ))}
    </AlertDialog>
  );
}

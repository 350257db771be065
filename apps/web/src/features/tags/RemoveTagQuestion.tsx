// Asks before a tag is removed, and says on how many mails it is: their tag cannot be brought back.
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { showToast } from '../../ui/toasts.ts';
import { useRemoveTag } from './mutations.ts';

type RemoveTagQuestionProps = {
  name: string;
  /** Mails that have it. */
  mails: number;
  onRemoved?: (() => void) | undefined;
  onClose: () => void;
};

/** Open while mounted. */
export function RemoveTagQuestion({ name, mails, onRemoved, onClose }: RemoveTagQuestionProps) {
  const remove = useRemoveTag();
  // Not with the mutation's own callbacks: the row that this stands in goes with the tag.
  const confirm = () => {
    remove.mutateAsync(name).then(
      () => {
        showToast({ tone: 'success', text: t('Tag {name} removed', { name }) });
        onRemoved?.();
        onClose();
      },
      (error: unknown) => {
        showToast({ tone: 'danger', text: callErrorText(error) });
        onClose();
      },
    );
  };
  return (
    <AlertDialog
      open
      title={t('Delete the tag {name}?', { name })}
      confirmLabel={t('Delete tag')}
      busy={remove.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {mails === 0
        ? t('No message has it.')
        : t(
            '{count, plural, one {# message has it. The message stays, without the tag.} other {# messages have it. The messages stay, without the tag.}}',
            { count: mails },
          )}
    </AlertDialog>
  );
}

// Asks for confirmation before a tag is removed, and says how many messages have it: the tag cannot
// be restored on them.
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { showToast } from '../../ui/toasts.ts';
import { useRemoveTag } from './mutations.ts';

type RemoveTagQuestionProps = {
  name: string;
  /** Number of messages with the tag. */
  mails: number;
  onRemoved?: (() => void) | undefined;
  onClose: () => void;
};

/** Open while mounted. */
export function RemoveTagQuestion({ name, mails, onRemoved, onClose }: RemoveTagQuestionProps) {
  const remove = useRemoveTag();
  // Uses no callbacks of the mutation: the row that contains this dialog is unmounted together with
  // the tag.
  const confirm = () => {
    remove.mutateAsync(name).then(
      () => {
        showToast({ tone: 'success', text: t('Tag {name} deleted', { name }) });
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
        ? t('No messages have this tag.')
        : t(
            '{count, plural, one {# message has this tag. The message is kept without the tag.} other {# messages have this tag. The messages are kept without the tag.}}',
            { count: mails },
          )}
    </AlertDialog>
  );
}

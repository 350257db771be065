// Creates a rule and appends it to the list. Opened from the settings, or from a message with its
// sender as the condition.
import type { Rule } from '@keyfold/contract';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { showToast } from '../../ui/toasts.ts';
import { useRules, useSaveRules } from './queries.ts';
import { RuleDialog } from './RuleDialog.tsx';
import { emptyRule } from './rule-words.ts';

type NewRuleDialogProps = {
  /** Sender address for the initial condition; empty for none. */
  sender: string;
  onClose: () => void;
};

/** Open while mounted. */
export function NewRuleDialog({ sender, onClose }: NewRuleDialogProps) {
  const { data: rules, error } = useRules();
  const save = useSaveRules();
  const start: Rule =
    sender === ''
      ? emptyRule
      : {
          ...emptyRule,
          name: t('Mail from {sender}', { sender }).slice(0, 100),
          conditions: [{ field: 'from', test: 'is', value: sender }],
        };
  const refused = save.error ?? error;
  return (
    <RuleDialog
      rule={start}
      isNew
      isBusy={save.isPending}
      refusal={refused === null ? null : callErrorText(refused)}
      onSave={rule => {
        // Saving replaces all rules, so without the existing ones it would remove them.
        if (rules === undefined) return;
        save.mutate([...rules, rule], {
          onSuccess: () => {
            showToast({
              tone: 'success',
              text: t('Rule saved. It applies to messages that arrive from now on.'),
            });
            onClose();
          },
        });
      }}
      onClose={onClose}
    />
  );
}

// Editor of one rule: when it applies, what it does, and how many of the newest messages it would
// have matched. In a separate chunk.
import type { Rule } from '@keyfold/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { tryRule } from './queries.ts';
import { RuleActions, RuleConditions } from './RuleParts.tsx';
import { problemOf } from './rule-words.ts';

type RuleDialogProps = {
  rule: Rule;
  isNew: boolean;
  isBusy: boolean;
  /** Why the server rejected the rule. */
  refusal: string | null;
  onSave: (rule: Rule) => void;
  onClose: () => void;
};

/** Open while mounted. */
export function RuleDialog({ rule: start, isNew, isBusy, refusal, onSave, onClose }: RuleDialogProps) {
  const [rule, setRule] = useState(start);
  const [problem, setProblem] = useState<string | null>(null);
  const trial = useMutation({ mutationFn: tryRule });
  const change = (next: Partial<Rule>) => {
    setRule(before => ({ ...before, ...next }));
    setProblem(null);
    trial.reset();
  };
  const submit = () => {
    const found = problemOf(rule);
    setProblem(found);
    if (found === null) onSave({ ...rule, name: rule.name.trim() });
  };
  return (
    <FormDialog
      wide
      title={isNew ? t('New rule') : t('Edit rule')}
      submitLabel={t('Save rule')}
      isBusy={isBusy}
      problem={problem ?? refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={t('Rule name')}
        maxLength={100}
        value={rule.name}
        onChange={name => change({ name })}
      />
      <RuleConditions rule={rule} onChange={change} />
      <RuleActions rule={rule} onChange={change} />
      <CheckboxLine
        label={t('Stop processing more rules')}
        checked={rule.stop}
        onChange={stop => change({ stop })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          variant="outline"
          busy={trial.isPending}
          disabled={rule.conditions.some(({ value }) => value.trim() === '')}
          onClick={() => trial.mutate(rule)}
        >
          {t('Test rule')}
        </Button>
        <span role="status" className="text-control text-ink-2">
          {trial.data !== undefined &&
            t('Matches {matched} of the {tried} newest messages.', { ...trial.data })}
          {trial.error !== null && callErrorText(trial.error)}
        </span>
      </div>
    </FormDialog>
  );
}

// The editor of one rule: when it applies, what it does, and how many of the newest messages it would have matched. A
// chunk of its own.
import type { Rule } from '@keyfold/contract';
import { RULE_CONDITIONS_MAX } from '@keyfold/contract/limits';
import { useMutation } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Select } from '../../ui/Select.tsx';
import { TagDot } from '../../ui/TagDot.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { tryRule } from './queries.ts';
import { actionOptions, fieldOptions, problemOf, testOptions } from './rule-words.ts';

type RuleDialogProps = {
  rule: Rule;
  isNew: boolean;
  isBusy: boolean;
  /** Why the server did not take it. */
  refusal: string | null;
  onSave: (rule: Rule) => void;
  onClose: () => void;
};

/** Open while mounted. */
export function RuleDialog({ rule: start, isNew, isBusy, refusal, onSave, onClose }: RuleDialogProps) {
  const tags = useUser()?.tags ?? [];
  const [rule, setRule] = useState(start);
  const [problem, setProblem] = useState<string | null>(null);
  const trial = useMutation({ mutationFn: tryRule });
  const change = (next: Partial<Rule>) => {
    setRule(before => ({ ...before, ...next }));
    setProblem(null);
    trial.reset();
  };
  const changeCondition = (at: number, next: Partial<Rule['conditions'][number]>) =>
    change({ conditions: rule.conditions.map((one, index) => (index === at ? { ...one, ...next } : one)) });
  const setTag = (name: string, isOn: boolean) => {
    const { tags: before, ...others } = rule.actions;
    change({
      actions: { ...others, tags: isOn ? [...before, name] : before.filter(one => one !== name) },
    });
  };
  const submit = () => {
    const found = problemOf(rule);
    setProblem(found);
    if (found === null) onSave({ ...rule, name: rule.name.trim() });
  };
  return (
    <FormDialog
      wide
      title={isNew ? t('New rule') : t('Change rule')}
      submitLabel={t('Save rule')}
      isBusy={isBusy}
      problem={problem ?? refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={t('Name of the rule')}
        maxLength={100}
        value={rule.name}
        onChange={name => change({ name })}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 text-control font-medium">{t('When a message arrives for which')}</legend>
        <Select
          label={t('How many conditions')}
          hideLabel
          options={[
            { value: 'all', label: t('all of these hold') },
            { value: 'any', label: t('one of these holds') },
          ]}
          value={rule.match}
          onChange={match => change({ match })}
        />
        {rule.conditions.map((condition, at) => (
          <div
            // The place is all that tells two conditions apart.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={at}
            className="flex flex-wrap items-end gap-2"
          >
            <Select
              label={t('Where to look')}
              hideLabel
              options={fieldOptions()}
              value={condition.field}
              onChange={field => changeCondition(at, { field })}
            />
            <Select
              label={t('How to compare')}
              hideLabel
              options={testOptions()}
              value={condition.test}
              onChange={test => changeCondition(at, { test })}
            />
            <input
              aria-label={t('Text to look for')}
              dir="auto"
              maxLength={200}
              value={condition.value}
              onChange={event => changeCondition(at, { value: event.target.value })}
              className="h-9 min-w-40 flex-1 rounded-control border border-line-strong bg-surface px-3 text-base outline-none focus-visible:outline-2 focus-visible:outline-focus pointer-coarse:h-11"
            />
            <IconButton
              label={t('Remove this condition')}
              disabled={rule.conditions.length === 1}
              onClick={() => change({ conditions: rule.conditions.filter((_, index) => index !== at) })}
            >
              <X size={16} />
            </IconButton>
          </div>
        ))}
        <Button
          size="sm"
          variant="quiet"
          className="self-start"
          disabled={rule.conditions.length >= RULE_CONDITIONS_MAX}
          onClick={() =>
            change({ conditions: [...rule.conditions, { field: 'subject', test: 'contains', value: '' }] })
          }
        >
          <Plus size={15} />
          {t('Add a condition')}
        </Button>
      </fieldset>
      <fieldset>
        <legend className="mb-1.5 text-control font-medium">{t('Do this')}</legend>
        <div className="grid gap-x-6 gap-y-1 pane:grid-cols-2">
          {actionOptions().map(({ key, label }) => (
            <CheckboxLine
              key={key}
              label={label}
              checked={rule.actions[key]}
              onChange={isOn => change({ actions: { ...rule.actions, [key]: isOn } })}
            />
          ))}
          {tags.map(({ name, color }) => (
            <CheckboxLine
              key={name}
              label={t('Tag {name}', { name })}
              checked={rule.actions.tags.includes(name)}
              onChange={isOn => setTag(name, isOn)}
            >
              <TagDot color={color} />
              <span dir="auto" className="truncate">
                {name}
              </span>
            </CheckboxLine>
          ))}
        </div>
      </fieldset>
      <CheckboxLine
        label={t('Stop after this rule')}
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
          {t('Try it')}
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

// The two halves of the rule editor: when the rule applies, and what it does.
import type { Rule } from '@keyfold/contract';
import { RULE_CONDITIONS_MAX } from '@keyfold/contract/limits';
import { Plus, X } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Select } from '../../ui/Select.tsx';
import { TagDot } from '../../ui/TagDot.tsx';
import { actionOptions, fieldOptions, testOptions } from './rule-words.ts';

type RulePartProps = { rule: Rule; onChange: (change: Partial<Rule>) => void };

/** The conditions, all or any of which must match. */
export function RuleConditions({ rule, onChange }: RulePartProps) {
  const changeCondition = (at: number, next: Partial<Rule['conditions'][number]>) =>
    onChange({ conditions: rule.conditions.map((one, index) => (index === at ? { ...one, ...next } : one)) });
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-control font-medium">{t('When a new message matches')}</legend>
      <Select
        label={t('Conditions to match')}
        hideLabel
        options={[
          { value: 'all', label: t('all of these conditions') },
          { value: 'any', label: t('any of these conditions') },
        ]}
        value={rule.match}
        onChange={match => onChange({ match })}
      />
      {rule.conditions.map((condition, at) => (
        <div
          // Conditions have no identity other than their index.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          className="flex flex-wrap items-end gap-2"
        >
          <Select
            label={t('Field')}
            hideLabel
            options={fieldOptions()}
            value={condition.field}
            onChange={field => changeCondition(at, { field })}
          />
          <Select
            label={t('Comparison')}
            hideLabel
            options={testOptions()}
            value={condition.test}
            onChange={test => changeCondition(at, { test })}
          />
          <input
            aria-label={t('Text to match')}
            dir="auto"
            maxLength={200}
            value={condition.value}
            onChange={event => changeCondition(at, { value: event.target.value })}
            className="h-9 min-w-40 flex-1 rounded-control border border-line-strong bg-surface px-3 text-base outline-none focus-visible:outline-2 focus-visible:outline-focus pointer-coarse:h-11"
          />
          <IconButton
            label={t('Remove condition')}
            disabled={rule.conditions.length === 1}
            onClick={() => onChange({ conditions: rule.conditions.filter((_, index) => index !== at) })}
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
          onChange({ conditions: [...rule.conditions, { field: 'subject', test: 'contains', value: '' }] })
        }
      >
        <Plus size={15} />
        {t('Add condition')}
      </Button>
    </fieldset>
  );
}

/** The actions on matching messages. */
export function RuleActions({ rule, onChange }: RulePartProps) {
  const tags = useUser()?.tags ?? [];
  const setTag = (name: string, isOn: boolean) => {
    const { tags: before, ...others } = rule.actions;
    onChange({
      actions: { ...others, tags: isOn ? [...before, name] : before.filter(one => one !== name) },
    });
  };
  return (
    <fieldset>
      <legend className="mb-1.5 text-control font-medium">{t('Actions')}</legend>
      <div className="grid gap-x-6 gap-y-1 pane:grid-cols-2">
        {actionOptions().map(({ key, label }) => (
          <CheckboxLine
            key={key}
            label={label}
            checked={rule.actions[key]}
            onChange={isOn => onChange({ actions: { ...rule.actions, [key]: isOn } })}
          />
        ))}
        {tags.map(({ name, color }) => (
          <CheckboxLine
            key={name}
            label={t('Add tag {name}', { name })}
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
  );
}

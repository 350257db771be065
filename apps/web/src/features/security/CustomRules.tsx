// The user's custom rules for the spam filter: what to match and what to do with the message. The
// first match decides, so rules can be reordered.
import type { CustomRule } from '@keyfold/contract';
import { CUSTOM_RULES_MAX } from '@keyfold/contract/limits';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { sentenceGap, t } from '../../lib/language.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { fieldOptions, testOptions } from '../rules/rule-words.ts';
import {
  actionWords,
  customRuleKey,
  customRuleText,
  type WholeRule,
  wholeRule,
  withMovedRule,
  withoutRule,
  withRule,
} from './custom-rules.ts';

type CustomRulesProps = {
  rules: readonly CustomRule[];
  /** The filter is off: the rules are kept and not applied. */
  isResting: boolean;
  isBusy: boolean;
  /** Receives a function that computes the new rules. */
  onChange: (next: (rules: readonly CustomRule[]) => CustomRule[]) => void;
};

const start: WholeRule = { field: 'subject', test: 'contains', value: '', action: 'flag' };

function RuleList({ rules, isBusy, onChange }: Omit<CustomRulesProps, 'isResting'>) {
  return (
    <ol className="mt-3 rounded-card border border-line">
      {rules.map((rule, at) => {
        const text = customRuleText(rule);
        const { action } = wholeRule(rule);
        return (
          <li
            key={customRuleKey(rule)}
            className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line py-1 ps-4 pe-2 last:border-b-0"
          >
            <span dir="auto" className="min-w-40 flex-1 break-words">
              {text}
            </span>
            <Badge tone={action === 'flag' ? 'warn' : 'success'}>{actionWords(action)}</Badge>
            <span className="flex">
              <IconButton
                label={t('Move {name} up', { name: text })}
                disabled={isBusy || at === 0}
                onClick={() => onChange(before => withMovedRule(before, rule, -1))}
              >
                <ArrowUp size={15} />
              </IconButton>
              <IconButton
                label={t('Move {name} down', { name: text })}
                disabled={isBusy || at === rules.length - 1}
                onClick={() => onChange(before => withMovedRule(before, rule, 1))}
              >
                <ArrowDown size={15} />
              </IconButton>
              <IconButton
                label={t('Remove {sender}', { sender: text })}
                disabled={isBusy}
                onClick={() => onChange(before => withoutRule(before, rule))}
              >
                <X size={15} />
              </IconButton>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** Renders the list with its form. */
export function CustomRules({ rules, isResting, isBusy, onChange }: CustomRulesProps) {
  const [draft, setDraft] = useState(start);
  const [problem, setProblem] = useState<string>();
  const change = (next: Partial<WholeRule>) => {
    setDraft(before => ({ ...before, ...next }));
    setProblem(undefined);
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    const value = draft.value.trim();
    if (value === '') return setProblem(t('Enter the text to look for'));
    if (rules.length >= CUSTOM_RULES_MAX)
      return setProblem(t('You can have up to {count} rules', { count: CUSTOM_RULES_MAX }));
    onChange(before => withRule(before, { ...draft, value }));
    change({ value: '' });
  };
  return (
    <section aria-label={t('Custom rules')} aria-busy={isBusy || undefined} className="mt-8">
      <h2 className="text-pane font-semibold">{t('Custom rules')}</h2>
      <p className="mb-3 text-control text-ink-2">
        {t(
          'Applied in order before the spam filter decides. The first matching rule counts. Case and accents are ignored.',
        )}
        {sentenceGap()}
        {isResting && t('Inactive while the spam filter is off.')}
      </p>
      <form noValidate onSubmit={add} className="flex flex-wrap items-end gap-2">
        <Select
          label={t('Field')}
          options={fieldOptions()}
          value={draft.field}
          onChange={field => change({ field })}
        />
        <Select
          label={t('Comparison')}
          options={testOptions()}
          value={draft.test}
          onChange={test => change({ test })}
        />
        <div className="min-w-44 flex-1">
          <TextField
            label={t('Text to match')}
            dir="auto"
            maxLength={200}
            value={draft.value}
            error={problem}
            onChange={value => change({ value })}
          />
        </div>
        <Select
          label={t('Action')}
          options={(['flag', 'allow'] as const).map(value => ({ value, label: actionWords(value) }))}
          value={draft.action}
          onChange={action => change({ action })}
        />
        {/*
         * Never shown as busy: changes are queued, and a button that rejects clicks would lose an
         * Enter.
         */}
        <Button type="submit" variant="outline" size="field">
          <Plus size={15} />
          {t('Add rule')}
        </Button>
      </form>
      {rules.length === 0 ? (
        <p className="mt-3 text-control text-ink-3">{t('No custom rules')}</p>
      ) : (
        <RuleList rules={rules} isBusy={isBusy} onChange={onChange} />
      )}
    </section>
  );
}

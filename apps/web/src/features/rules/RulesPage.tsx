// `/app/config/rules`: the rules for incoming mail in evaluation order. Each can be turned off,
// moved, edited and deleted.
import type { Rule } from '@keyfold/contract';
import { ArrowDown, ArrowUp, ListFilter, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { showToast } from '../../ui/toasts.ts';
import { NewRuleDialog } from './NewRuleDialog.tsx';
import { useRules, useSaveRules } from './queries.ts';
import { RuleDialog } from './RuleDialog.tsx';
import { actionsText, conditionsText } from './rule-words.ts';

type RuleRowProps = {
  rule: Rule;
  isFirst: boolean;
  isLast: boolean;
  onMove: (step: 1 | -1) => void;
  onChange: () => void;
  onRemove: () => void;
  onEnable: (isEnabled: boolean) => void;
};

function RuleRow({ rule, isFirst, isLast, onMove, onChange, onRemove, onEnable }: RuleRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3 last:border-b-0">
      <div className="min-w-48 flex-1">
        <div dir="auto" className="font-medium break-words">
          {rule.name}
        </div>
        <div className="text-control break-words text-ink-2">
          {t('{what}: {why}', { what: conditionsText(rule), why: actionsText(rule) })}
        </div>
      </div>
      <div className="flex items-center gap-1">
        <IconButton
          label={t('Move {name} up', { name: rule.name })}
          disabled={isFirst}
          onClick={() => onMove(-1)}
        >
          <ArrowUp size={16} />
        </IconButton>
        <IconButton
          label={t('Move {name} down', { name: rule.name })}
          disabled={isLast}
          onClick={() => onMove(1)}
        >
          <ArrowDown size={16} />
        </IconButton>
        <IconButton label={t('Edit {name}', { name: rule.name })} onClick={onChange}>
          <Pencil size={16} />
        </IconButton>
        <IconButton label={t('Delete {name}', { name: rule.name })} onClick={onRemove}>
          <Trash2 size={16} />
        </IconButton>
        <span className="ms-2">
          <Switch
            label={t('Enable {name}', { name: rule.name })}
            checked={rule.enabled}
            onChange={onEnable}
          />
        </span>
      </div>
    </li>
  );
}

export function RulesPage() {
  const { data: rules, isPending, error, isFetching, refetch } = useRules();
  const save = useSaveRules();
  const [isMaking, setMaking] = useState(false);
  const [changing, setChanging] = useState<number | null>(null);
  const keep = (next: readonly Rule[], onSaved?: () => void) =>
    save.mutate(next, {
      onSuccess: () => onSaved?.(),
      onError: problem => showToast({ tone: 'danger', text: callErrorText(problem) }),
    });
  const replace = (at: number, rule: Rule) => (rules ?? []).map((one, index) => (index === at ? rule : one));
  const move = (at: number, step: 1 | -1) => {
    const next = [...(rules ?? [])];
    const [rule] = next.splice(at, 1);
    if (rule === undefined) return;
    next.splice(at + step, 0, rule);
    keep(next);
  };
  const remove = (at: number) => {
    const before = rules ?? [];
    keep(
      before.filter((_, index) => index !== at),
      () =>
        showToast({
          tone: 'success',
          text: t('Rule deleted'),
          action: { label: t('Undo'), onAct: () => keep(before) },
        }),
    );
  };
  const changed = changing === null ? undefined : rules?.[changing];
  return (
    <SettingsPage
      title={t('Rules')}
      text={t(
        'Rules sort incoming messages. The server applies them to mail from other providers before it encrypts it. Your devices apply them to end-to-end encrypted mail while Keyfold is open.',
      )}
      action={
        <Button size="sm" onClick={() => setMaking(true)}>
          <Plus size={15} />
          {t('New rule')}
        </Button>
      }
    >
      {isPending && <Spinner size={20} />}
      {error !== null && rules === undefined && (
        <ErrorState
          title={callErrorText(error)}
          text={t('Couldn’t load rules.')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {rules?.length === 0 && (
        <EmptyState
          icon={<ListFilter />}
          title={t('No rules yet')}
          text={t('A rule can tag, archive, star or delete messages as they arrive.')}
        />
      )}
      {rules !== undefined && rules.length > 0 && (
        <ol className="rounded-card border border-line">
          {rules.map((rule, at) => (
            <RuleRow
              // Two rules may have the same name, so the index is the key.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={`${at} ${rule.name}`}
              rule={rule}
              isFirst={at === 0}
              isLast={at === rules.length - 1}
              onMove={step => move(at, step)}
              onChange={() => setChanging(at)}
              onRemove={() => remove(at)}
              onEnable={enabled => keep(replace(at, { ...rule, enabled }))}
            />
          ))}
        </ol>
      )}
      {isMaking && <NewRuleDialog sender="" onClose={() => setMaking(false)} />}
      {changed !== undefined && changing !== null && (
        <RuleDialog
          rule={changed}
          isNew={false}
          isBusy={save.isPending}
          refusal={save.error === null ? null : callErrorText(save.error)}
          onSave={rule => keep(replace(changing, rule), () => setChanging(null))}
          onClose={() => setChanging(null)}
        />
      )}
    </SettingsPage>
  );
}

// `/app/security/spam`: the spam filter with its rules, and the always-allowed and blocked senders
// (docs/spec-map.md 3.33, 8: without an answer the text of the catalog, without settings the
// defaults).
import type { SecuritySettings } from '@keyfold/contract';
import { SENDERS_MAX } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Select } from '../../ui/Select.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { showToast } from '../../ui/toasts.ts';
import { CustomRules } from './CustomRules.tsx';
import { SenderList } from './SenderList.tsx';
import { type SettingsChange, useChangeSecuritySettings, useSecuritySettings } from './spam-queries.ts';

type SpamFilters = SecuritySettings['spam_filters'];
type ListName = 'blacklist' | 'whitelist';

export function SpamPage() {
  const query = useSecuritySettings();
  const save = useChangeSecuritySettings();
  const change = (what: SettingsChange) =>
    save.mutate(what, {
      onSuccess: () => showToast({ tone: 'success', text: t('Saved') }),
      onError: error => showToast({ tone: 'danger', text: callErrorText(error) }),
    });
  const changeFilter = (next: (filters: SpamFilters) => Partial<SpamFilters>) =>
    change(before => ({
      ...before,
      spam_filters: { ...before.spam_filters, ...next(before.spam_filters) },
    }));
  const changeList = (name: ListName, next: (senders: readonly string[]) => string[]) =>
    change(before => ({ ...before, [name]: next(before[name]) }));
  const listOf = (name: ListName, senders: readonly string[]) => ({
    senders,
    onAdd: (found: readonly string[]) =>
      changeList(name, before => [...new Set([...before, ...found])].slice(0, SENDERS_MAX)),
    onRemove: (sender: string) => changeList(name, before => before.filter(one => one !== sender)),
  });
  const sensitivities: readonly { value: SpamFilters['sensitivity']; label: string }[] = [
    { value: 'low', label: t('Low') },
    { value: 'medium', label: t('Medium') },
    { value: 'high', label: t('High') },
  ];
  return (
    <SettingsPage title={t('Spam and senders')}>
      <AskedFor
        query={query}
        bars={['h-14 w-full', 'h-14 w-full', 'h-28 w-full']}
        title={t('Network error retrieving security settings')}
        text={t('Your settings haven’t changed. Try again.')}
      >
        {data => (
          <>
            <SettingsRow
              label={t('Filter incoming mail')}
              text={t(
                'Checks mail from other providers in memory, before it’s encrypted for you. Messages that look like spam go to Spam.',
              )}
            >
              <Switch
                label={t('Filter incoming mail')}
                checked={data.spam_filters.enabled}
                onChange={enabled => changeFilter(() => ({ enabled }))}
              />
            </SettingsRow>
            <SettingsRow
              label={t('Sensitivity')}
              text={t('High catches more spam, but also more messages that aren’t spam.')}
            >
              <Select
                label={t('Sensitivity')}
                hideLabel
                options={sensitivities}
                value={data.spam_filters.sensitivity}
                disabled={!data.spam_filters.enabled}
                onChange={sensitivity => changeFilter(() => ({ sensitivity }))}
              />
            </SettingsRow>
            <CustomRules
              rules={data.spam_filters.custom_rules}
              isResting={!data.spam_filters.enabled}
              isBusy={save.isPending}
              onChange={next => changeFilter(({ custom_rules }) => ({ custom_rules: next(custom_rules) }))}
            />
            <SenderList
              title={t('Blocked senders')}
              text={t('Messages from these senders go to Spam, even when the spam filter is off.')}
              addLabel={t('Block addresses or domains')}
              isBusy={save.isPending}
              {...listOf('blacklist', data.blacklist)}
            />
            <SenderList
              title={t('Allowed senders')}
              text={t(
                'The spam filter never moves messages from these senders to Spam if DMARC confirms the sender. Forged addresses don’t count.',
              )}
              addLabel={t('Allow addresses or domains')}
              isBusy={save.isPending}
              {...listOf('whitelist', data.whitelist)}
            />
          </>
        )}
      </AskedFor>
    </SettingsPage>
  );
}

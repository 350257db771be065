// `/app/config/senders`: the spam filter, and who is always or never let through (Spec §3, security settings).
import type { SecuritySettings } from '@keyfold/contract';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/error-text.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { showToast } from '../../ui/toasts.ts';
import { useSaveSecuritySettings, useSecuritySettings } from './queries.ts';
import { SenderList } from './SenderList.tsx';
import { SettingsPage } from './SettingsPage.tsx';
import { SettingsRow } from './SettingsRow.tsx';

type Sensitivity = SecuritySettings['spam_filters']['sensitivity'];

/** The page. */
export function SendersPage() {
  const { data, isPending, isFetching, refetch } = useSecuritySettings();
  const save = useSaveSecuritySettings();
  const keep = (settings: SecuritySettings) =>
    save.mutate(settings, {
      onSuccess: () => showToast({ tone: 'success', text: t('Saved') }),
      onError: error => showToast({ tone: 'danger', text: callErrorText(error) }),
    });
  const sensitivities: readonly { value: Sensitivity; label: string }[] = [
    { value: 'low', label: t('Low') },
    { value: 'medium', label: t('Medium') },
    { value: 'high', label: t('High') },
  ];
  return (
    <SettingsPage title={t('Spam and senders')}>
      {isPending && <Spinner size={20} />}
      {!isPending && data === undefined && (
        <ErrorState
          title={t('Network error retrieving security settings')}
          text={t('Nothing was changed.')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data !== undefined && (
        <>
          <SettingsRow
            label={t('Filter incoming mail')}
            text={t(
              'Runs on mail from outside, in memory, before it is sealed for you. What looks like spam goes to Flagged.',
            )}
          >
            <Switch
              label={t('Filter incoming mail')}
              checked={data.spam_filters.enabled}
              onChange={enabled => keep({ ...data, spam_filters: { ...data.spam_filters, enabled } })}
            />
          </SettingsRow>
          <SettingsRow label={t('Sensitivity')} text={t('High catches more, and more that is no spam.')}>
            <Select
              label={t('Sensitivity')}
              hideLabel
              options={sensitivities}
              value={data.spam_filters.sensitivity}
              disabled={!data.spam_filters.enabled}
              onChange={sensitivity => keep({ ...data, spam_filters: { ...data.spam_filters, sensitivity } })}
            />
          </SettingsRow>
          <SenderList
            title={t('Blocked senders')}
            text={t('Their mail arrives in Flagged.')}
            addLabel={t('Block addresses or domains')}
            senders={data.blacklist}
            isBusy={save.isPending}
            onChange={blacklist => keep({ ...data, blacklist })}
          />
          <SenderList
            title={t('Allowed senders')}
            text={t('Their mail is never put into Flagged by the filter.')}
            addLabel={t('Allow addresses or domains')}
            senders={data.whitelist}
            isBusy={save.isPending}
            onChange={whitelist => keep({ ...data, whitelist })}
          />
        </>
      )}
    </SettingsPage>
  );
}

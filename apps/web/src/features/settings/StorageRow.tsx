// Storage used, in total and by kind.
import { t } from '../../lib/language.ts';
import { formatSize, percentOf } from '../../lib/sizes.ts';
import { Meter } from '../../ui/Meter.tsx';
import { meterTone } from '../../ui/meter-tone.ts';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { PlansLink } from '../billing/PlansLink.tsx';
import { useStorageUse } from './queries.ts';

type StorageRowProps = {
  usedBytes: number;
  limitBytes: number;
};

/** Shows the usage from the user payload until the server has reported details. */
export function StorageRow({ usedBytes, limitBytes }: StorageRowProps) {
  const { data } = useStorageUse();
  const used = data?.used ?? usedBytes;
  const limit = data?.limit ?? limitBytes;
  const percent = percentOf(used, limit);
  const kinds =
    data === undefined
      ? []
      : [
          { label: t('Mail'), bytes: data.mail },
          { label: t('Attachments'), bytes: data.attachments },
          { label: t('Spam and deleted mail'), bytes: data.spam_and_deleted },
          { label: t('Drafts'), bytes: data.drafts },
          { label: t('Search index (not counted)'), bytes: data.search_index },
        ];
  return (
    <SettingsRow
      label={t('Storage')}
      text={t('{used} of {total} used', { used: formatSize(used), total: formatSize(limit) })}
    >
      <div className="w-72 max-w-full">
        <Meter
          label={t('Storage')}
          percent={percent}
          valueText={t('{used} of {total}', { used: formatSize(used), total: formatSize(limit) })}
        />
        <dl className="mt-2 min-h-[90px] text-meta text-ink-2">
          {kinds.map(({ label, bytes }) => (
            <div key={label} className="flex gap-3">
              <dt className="min-w-0 flex-1">{label}</dt>
              <dd className="tabular-nums">{formatSize(bytes)}</dd>
            </div>
          ))}
        </dl>
        {meterTone(percent) !== 'primary' && (
          <div className="mt-2">
            <PlansLink />
          </div>
        )}
      </div>
    </SettingsRow>
  );
}

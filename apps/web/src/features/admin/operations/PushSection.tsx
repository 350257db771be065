// Push by platform: whether this server supports it, the number of devices, the number that the
// last notification did not reach, and the pending notifications.
import type { OperatedPush } from '@keyfold/contract';
import { t } from '../../../lib/language.ts';
import { formatCount } from '../../../lib/words.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { usePushes } from './queries.ts';
import { RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';

const names = { android: 'Android', ios: 'iOS', unifiedpush: 'UnifiedPush' } as const;

const nameOf = ({ platform }: OperatedPush): string => (platform === 'web' ? t('Browsers') : names[platform]);

export function PushSection() {
  return (
    <Section title={t('Notifications')} failed={t('Couldn’t load the push services')} query={usePushes()}>
      {platforms => (
        <RowsTable
          label={t('Notifications')}
          rows={platforms}
          idOf={row => row.platform}
          columns={[
            { name: t('Name'), show: nameOf },
            {
              name: t('State'),
              show: row => <Badge tone={row.on ? 'success' : 'neutral'}>{row.on ? t('On') : t('Off')}</Badge>,
            },
            { name: t('Devices'), isNumber: true, show: row => formatCount(row.devices) },
            { name: t('Unreachable'), isNumber: true, show: row => formatCount(row.failing) },
            { name: t('Waiting'), isNumber: true, show: row => formatCount(row.waiting) },
          ]}
        />
      )}
    </Section>
  );
}

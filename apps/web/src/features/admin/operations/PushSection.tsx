// Push by platform: whether this server can, how many devices there are and how many took nothing the last time, and what waits.
import type { OperatedPush } from '@keyfold/contract';
import { t } from '../../../lib/language.ts';
import { formatCount } from '../../../lib/words.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { usePushes } from './queries.ts';
import { RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';

const names = { android: 'Android', ios: 'iOS', unifiedpush: 'UnifiedPush' } as const;

const nameOf = ({ platform }: OperatedPush): string => (platform === 'web' ? t('Browsers') : names[platform]);

/** The section. */
export function PushSection() {
  return (
    <Section
      title={t('Notifications')}
      failed={t('The push services could not be loaded')}
      query={usePushes()}
    >
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
            { name: t('Not reached'), isNumber: true, show: row => formatCount(row.failing) },
            { name: t('Waiting'), isNumber: true, show: row => formatCount(row.waiting) },
          ]}
        />
      )}
    </Section>
  );
}

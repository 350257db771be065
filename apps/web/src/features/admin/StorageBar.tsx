// How much of the console's measure an account uses (docs/spec-map.md 9, docs/interpretations.md#69): the real limit is its
// plan's.

import type { AdminUser } from '@keyfold/contract';
import { ADMIN_SHOWN_QUOTA_BYTES } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { Meter } from '../../ui/Meter.tsx';
import { formatPercent } from './number-words.ts';
import { storagePercent } from './user-filters.ts';

/** Used size, percent, a bar, and what it is of. */
export function StorageBar({ user }: { user: AdminUser }) {
  const percent = storagePercent(user);
  const [used, total] = [formatSize(user.used_space), formatSize(ADMIN_SHOWN_QUOTA_BYTES)];
  return (
    <>
      <div className="mb-1 flex text-meta tabular-nums">
        <span>{used}</span>
        <span className="ms-auto text-ink-2">{formatPercent(percent)}</span>
      </div>
      <Meter
        label={t('Storage of {name}', { name: user.name || user.email })}
        percent={percent}
        valueText={t('{used} of {total}', { used, total })}
      />
      <div className="mt-1 text-tiny text-ink-3">{t('of {total}', { total })}</div>
    </>
  );
}

// Storage quota in use, as numbers and as a bar.
import { Link } from 'react-router';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { formatSize, percentOf } from '../../lib/sizes.ts';
import { settingsPath } from '../../paths.ts';
import { Meter } from '../../ui/Meter.tsx';
import { meterTone } from '../../ui/meter-tone.ts';
import type { StorageView } from './view-model.ts';

/**
 * At the bottom of the sidebar. When storage is nearly full, the text turns red and a link to the
 * plans appears.
 */
export function StorageMeter({ storage }: { storage: StorageView }) {
  const used = formatSize(storage.usedBytes);
  const total = formatSize(storage.totalBytes);
  const percent = percentOf(storage.usedBytes, storage.totalBytes);
  const isFull = meterTone(percent) === 'danger';
  return (
    <div className="mt-auto px-2 pt-6 text-meta text-ink-3 tabular-nums">
      <div className="mb-1.5">
        <Meter
          label={t('Storage used')}
          percent={percent}
          valueText={t('{used} of {total}', { used, total })}
        />
      </div>
      <div className={cn(isFull && 'font-medium text-danger')}>
        {t('{used} of {total} used', { used, total })}
      </div>
      {isFull && (
        <Link to={settingsPath('subscription')} className="text-accent-text underline">
          {t('See plans')}
        </Link>
      )}
    </div>
  );
}

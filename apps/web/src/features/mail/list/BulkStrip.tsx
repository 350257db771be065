// Progress of a change to a large number of messages, with a button to stop it. Screen readers
// announce each quarter.
import { t } from '../../../lib/language.ts';
import { Button } from '../../../ui/Button.tsx';
import { LiveRegion } from '../../../ui/LiveRegion.tsx';
import { type BulkProgress, stopBulk } from '../state/bulk-job.ts';

const STEPS = 4;

/** Shown below the list header. */
export function BulkStrip({ progress }: { progress: BulkProgress }) {
  const { label, done, total, isStopping } = progress;
  const text =
    total === null
      ? t('{label}: finding messages…', { label })
      : t('{label}: {done} of {total}', { label, done, total });
  const share = total === null || total === 0 ? 0 : done / total;
  const said =
    total === null
      ? text
      : t('{label}: {done} of {total}', {
          label,
          done: Math.floor(share * STEPS) * Math.ceil(total / STEPS),
          total,
        });
  return (
    <div className="flex shrink-0 items-center gap-3 border-b border-line bg-well py-1.5 ps-4 pe-2 text-control text-ink-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate tabular-nums">
          {isStopping ? t('Stopping after this batch…') : text}
        </span>
        <progress
          aria-label={label}
          {...(total === null ? {} : { value: done, max: total })}
          className="block h-1 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        />
      </span>
      <Button size="xs" variant="quiet" disabled={isStopping} onClick={stopBulk}>
        {t('Stop')}
      </Button>
      <LiveRegion text={said} />
    </div>
  );
}

// Keys that were replaced: progress of rewrapping the mail that needs them, and a button to delete
// them afterward.
import type { RetiredState } from '@keyfold/contract';
import { formatFullDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import type { RewrapState } from '../../session/trust/rewrap-state.ts';
import { Button } from '../../ui/Button.tsx';
import { Progress } from '../../ui/Progress.tsx';

type RetiredKeyRowProps = {
  retired: RetiredState;
  /** Progress of the running work; null when its count belongs to other keys. */
  work: RewrapState | null;
  onDestroy: () => void;
};

export function RetiredKeyRow({ retired, work, onDestroy }: RetiredKeyRowProps) {
  const { done, total, failed, isDone } = toKeyWork(retired, work);
  const from = new Date(retired.destroyable_at);
  const isFree = isDone && from.getTime() <= Date.now();
  const progress = t('Updating old mail: {done} of {total}', { done, total });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-b-0">
      <div className="flex min-w-64 flex-1 flex-col gap-1">
        <code dir="ltr" className="font-mono text-meta break-all">
          {retired.key_id}
        </code>
        <p className="text-control text-ink-2">
          {t('Replaced {date}', { date: formatFullDate(new Date(retired.retired_at)) })}
        </p>
        {isDone ? (
          <p role="status" className="text-control text-ink-2">
            {t('Your current keys open all your mail. These keys are no longer needed.')}
          </p>
        ) : (
          <div className="mt-0.5 flex max-w-96 flex-col gap-1.5">
            <p className="text-control tabular-nums">{progress}</p>
            <Progress label={progress} value={(100 * done) / total} />
          </div>
        )}
        {failed > 0 && (
          <p role="status" className="text-control text-warn">
            {t(
              '{count, plural, one {# message can’t be opened with any of your keys, so these keys are kept.} other {# messages can’t be opened with any of your keys, so these keys are kept.}}',
              { count: failed },
            )}
          </p>
        )}
        {isDone && !isFree && (
          <p className="text-control text-ink-2">
            {t('You can delete these keys after {date}, when mail in transit has arrived.', {
              date: formatFullDate(from),
            })}
          </p>
        )}
      </div>
      {isDone && (
        <Button variant="quietDanger" className="ms-auto" disabled={!isFree} onClick={onDestroy}>
          {t('Delete keys')}
        </Button>
      )}
    </li>
  );
}

type KeyWork = {
  readonly done: number;
  /** At least 1. */
  readonly total: number;
  readonly failed: number;
  readonly isDone: boolean;
};

/** Combines the server's last answer with the progress reported since. */
export function toKeyWork({ mails, waiting }: RetiredState, work: RewrapState | null): KeyWork {
  const left = work?.waiting === null || work === null ? waiting : Math.min(waiting, work.waiting);
  const total = Math.max(1, mails, waiting);
  return { done: Math.max(0, total - left), total, failed: work?.failed ?? 0, isDone: waiting === 0 };
}

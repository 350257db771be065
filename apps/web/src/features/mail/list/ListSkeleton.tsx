// Nine rows of gray shapes while the first page of a list loads. Hidden for the first moment, so
// that fast responses do not flicker (docs/interface.md#states).
import { t } from '../../../lib/language.ts';
import { useLater } from '../../../lib/later.ts';
import { QUIET_WAIT_MS } from '../../../timing.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';

const widths = ['w-24', 'w-32', 'w-28', 'w-36', 'w-24', 'w-28', 'w-36', 'w-32', 'w-28'] as const;
const subjects = [
  'w-7/12',
  'w-8/12',
  'w-10/12',
  'w-7/12',
  'w-9/12',
  'w-11/12',
  'w-8/12',
  'w-9/12',
  'w-10/12',
] as const;

export function ListSkeleton() {
  const isLater = useLater(QUIET_WAIT_MS);
  if (!isLater) return null;
  return (
    <div role="status" aria-busy="true" aria-label={t('Loading messages')}>
      {widths.map((width, index) => (
        <div
          key={subjects[index] + width + String(index)}
          className="flex h-20 gap-3 border-b border-line px-5 py-3"
        >
          <Skeleton className="mt-3 size-8 shrink-0 rounded-full" />
          <div className="flex min-w-0 flex-1 flex-col gap-2 pt-0.5">
            <Skeleton className={`h-3 ${width}`} />
            <Skeleton className={`h-3 ${subjects[index]}`} />
            <Skeleton className="h-2.5 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  );
}

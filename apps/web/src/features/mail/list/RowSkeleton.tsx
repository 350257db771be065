// The grey shape of a row that is being fetched again (list-window.ts).
import { t } from '../../../lib/language.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { Density } from '../state/view-model.ts';
import { rowLook } from './MailRow.tsx';

/** As high as the row whose place it holds. */
export function RowSkeleton({ density }: { density: Density }) {
  return (
    <div
      role="img"
      aria-label={t('Loading messages')}
      className={`flex items-center gap-3 border-b border-line px-5 ${rowLook[density]}`}
    >
      {density !== 'line' && <Skeleton className="size-8 shrink-0 rounded-full" />}
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <Skeleton className="h-3 w-32" />
        {density !== 'line' && <Skeleton className="h-3 w-8/12" />}
      </div>
    </div>
  );
}

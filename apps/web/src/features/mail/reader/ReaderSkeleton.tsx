// The reading pane while a conversation is fetched: nothing for a moment, then its shape.
import { ArrowLeft } from 'lucide-react';
import { t } from '../../../lib/language.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

/** Keeps the way back, so that a slow message holds nobody. */
export function ReaderSkeleton({ hasBack, onBack }: { hasBack: boolean; onBack: () => void }) {
  return (
    <div role="status" aria-label={t('Opening the message')} className="flex h-full flex-col bg-surface">
      <div className="flex h-12 shrink-0 items-center border-b border-line px-3">
        {hasBack && (
          <IconButton label={t('Back')} onClick={onBack}>
            <ArrowLeft size={18} />
          </IconButton>
        )}
      </div>
      <div className="flex max-w-[860px] flex-col gap-4 p-7">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-10 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    </div>
  );
}

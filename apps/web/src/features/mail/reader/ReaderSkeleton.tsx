// The reading pane while a conversation loads: empty for a moment, then a skeleton.
import { ArrowLeft } from 'lucide-react';
import { t } from '../../../lib/language.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

/** Keeps the back button, so that users can leave a slow conversation. */
export function ReaderSkeleton({ hasBack, onBack }: { hasBack: boolean; onBack: () => void }) {
  return (
    <div role="status" aria-label={t('Loading message')} className="flex h-full flex-col bg-surface">
      <div className="flex h-12 shrink-0 items-center border-b border-line px-3">
        {hasBack && (
          <IconButton label={t('Back')} onClick={onBack}>
            <ArrowLeft size={18} className="rtl:-scale-x-100" />
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

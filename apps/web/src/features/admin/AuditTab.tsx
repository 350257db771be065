// The audit log: what was done to accounts and to the service, newest first.
import { ScrollText } from 'lucide-react';
import { formatFullDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { loadFailureText } from './admin-errors.ts';
import { actionWord, actorWord, detailLines } from './audit-words.ts';
import { useAudit } from './queries.ts';

/** The tab. */
export function AuditTab() {
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } =
    useAudit();
  const entries = data?.pages.flatMap(page => page.entries) ?? [];
  if (isPending)
    return (
      <div role="status" aria-busy className="flex flex-col gap-2">
        <span className="text-control text-ink-2">{t('Loading audit log...')}</span>
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-16 w-full" />
      </div>
    );
  if (data === undefined)
    return (
      <ErrorState
        title={t('Failed to load audit log')}
        text={loadFailureText('audit', error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  if (entries.length === 0)
    return (
      <EmptyState
        icon={<ScrollText />}
        title={t('Nothing was done yet')}
        text={t('What admins, the operator and billing do to accounts appears here.')}
      />
    );
  return (
    <>
      <ul aria-label={t('Audit log')} className="rounded-card border border-line bg-surface">
        {entries.map(entry => (
          <li
            key={entry.id}
            className="flex flex-wrap gap-x-4 gap-y-1 border-b border-line px-4 py-3 text-control last:border-b-0"
          >
            <div className="min-w-40 flex-1 wrap-anywhere">
              <div className="font-medium">{actionWord(entry.action)}</div>
              <div className="text-ink-2">{t('by {who}', { who: actorWord(entry.actor) })}</div>
            </div>
            <div className="min-w-40 flex-1 text-ink-2 wrap-anywhere">
              {entry.subject !== null && <div className="text-ink">{entry.subject}</div>}
              {detailLines(entry).map(line => (
                <div key={line} dir="auto">
                  {line}
                </div>
              ))}
            </div>
            <time dateTime={entry.at} className="text-meta whitespace-nowrap text-ink-3 tabular-nums">
              {formatFullDate(new Date(entry.at))}
            </time>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button variant="outline" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('Show older entries')}
          </Button>
        </div>
      )}
    </>
  );
}

// The audit log: actions on accounts and on the service, newest first.
import { ScrollText } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LogList } from '../../ui/LogList.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { loadFailureText } from './admin-errors.ts';
import { actionWord, actorWord, detailLines } from './audit-words.ts';
import { useAudit } from './queries.ts';

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
        title={t('No entries yet')}
        text={t('Actions by admins, the operator, billing and the service appear here.')}
      />
    );
  return (
    <LogList
      label={t('Audit log')}
      lines={entries.map(entry => ({
        id: entry.id,
        at: entry.at,
        deed: actionWord(entry.action),
        by: actorWord(entry.actor),
        subject: entry.subject,
        lines: detailLines(entry),
      }))}
      hasMore={hasNextPage}
      isLoadingMore={isFetchingNextPage}
      onMore={() => void fetchNextPage()}
    />
  );
}

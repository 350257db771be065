// `/app/admin` (docs/spec-map.md 2.14, 2.15, 2.26): the admin console. Users who are not admins see
// only a page that says so; the server enforces access.
import type { AdminLevel } from '@keyfold/contract/limits';
import { Bug, RefreshCw, ShieldX, X } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../lib/language.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { inboxPath } from '../../paths.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { AuditTab } from './AuditTab.tsx';
import { levelWord } from './audit-words.ts';
import { DashboardTab } from './DashboardTab.tsx';
import { DebugLine } from './DebugLine.tsx';
import { OperationsTab } from './operations/OperationsTab.tsx';
import { useAdminStatus, useRefresh } from './queries.ts';
import { UsersTab } from './UsersTab.tsx';
import { useConsoleAddress } from './use-console-address.ts';

function Console({ level }: { level: AdminLevel }) {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const { tab, openTab } = useConsoleAddress();
  const [isRefreshing, setRefreshing] = useState(false);
  const [isDebugging, setDebugging] = useState(false);
  const [rowIds, setRowIds] = useState<readonly string[]>([]);
  usePageTitle(t('Admin Dashboard'));
  const refreshAll = async () => {
    setRefreshing(true);
    await refresh();
    setRefreshing(false);
  };
  // One line per view; the console renders the page of each.
  const views = [
    { value: 'dashboard', label: t('Dashboard'), content: <DashboardTab /> },
    {
      value: 'users',
      label: t('User Management'),
      content: <UsersTab level={level} onRows={setRowIds} />,
    },
    { value: 'operations', label: t('Operations'), content: <OperationsTab level={level} /> },
    { value: 'audit', label: t('Audit log'), content: <AuditTab /> },
  ] as const;
  return (
    <div className="flex h-full min-h-0 flex-col bg-bg">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-0.5 gap-y-1 border-b border-line bg-surface px-3 py-2 pane:gap-x-3 pane:px-6">
        <h1 className="text-pane font-semibold whitespace-nowrap">{t('Admin Dashboard')}</h1>
        <Badge tone="info">{levelWord(level)}</Badge>
        <span className="flex-1" />
        <span className="flex items-center gap-1 text-control text-ink-2 pane:gap-2">
          <Bug aria-hidden size={15} />
          <span aria-hidden className="max-pane:hidden">
            {t('Debug')}
          </span>
          <Switch label={t('Debug')} checked={isDebugging} onChange={setDebugging} />
        </span>
        <Button
          variant="outline"
          size="sm"
          className="max-pane:min-w-11"
          busy={isRefreshing}
          onClick={() => void refreshAll()}
        >
          {!isRefreshing && <RefreshCw aria-hidden size={14} />}
          <span className="max-pane:sr-only">{t('Refresh')}</span>
        </Button>
        <Button
          variant="quiet"
          size="sm"
          className="max-pane:min-w-11"
          onClick={() => void navigate(inboxPath)}
        >
          <X aria-hidden size={15} />
          <span className="max-pane:sr-only">{t('Close')}</span>
        </Button>
      </header>
      <main className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto max-w-[1240px] px-3 py-4 pane:px-6">
          {isDebugging && <DebugLine rowIds={tab === 'users' ? rowIds : []} />}
          <Tabs label={t('Admin Dashboard')} views={views} value={tab} onChange={openTab} />
        </div>
      </main>
    </div>
  );
}

export function AdminScreen() {
  const navigate = useNavigate();
  const { data, error, isPending, isFetching, refetch } = useAdminStatus();
  if (isPending)
    return (
      <main role="status" aria-busy className="mx-auto flex max-w-[1240px] flex-col gap-3 p-6">
        <p className="text-control text-ink-2">{t('Loading admin dashboard...')}</p>
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-24 w-full" />
      </main>
    );
  if (data === undefined)
    return (
      <main className="h-full">
        <ErrorState
          title={t('Failed to load admin statistics')}
          text={callErrorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      </main>
    );
  if (!data.is_admin)
    return (
      <main className="h-full">
        <EmptyState
          tone="danger"
          icon={<ShieldX />}
          title={t('You don’t have access')}
          text={t('Only administrators of this service can open this page.')}
          action={
            <Button variant="outline" onClick={() => void navigate(inboxPath)}>
              {t('Back to Inbox')}
            </Button>
          }
        />
      </main>
    );
  // An admin without a level has the lowest one.
  return <Console level={data.admin_level ?? 'readonly'} />;
}

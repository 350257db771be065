// User Management (docs/spec-map.md 2, 5): a search that waits for a pause and starts on page 1,
// filters for the loaded page or for all users, the count line, the users, paging, and the account
// dialog. Its state is in the URL.
import type { AdminUser } from '@keyfold/contract';
import { ADMIN_PAGE_MAX, type AdminLevel } from '@keyfold/contract/limits';
import { ListFilter, Users } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { loadFailureText } from './admin-errors.ts';
import { FilterPanel } from './FilterPanel.tsx';
import { ManageUserDialog } from './ManageUserDialog.tsx';
import { USERS_PER_PAGE, useUsers } from './queries.ts';
import { UserCount } from './UserCount.tsx';
import { UserSearch, useTypedSearch } from './UserSearch.tsx';
import { UserTable } from './UserTable.tsx';
import { useConsoleAddress } from './use-console-address.ts';
import { countFilters, filterUsers, noFilters, type UserFilters } from './user-filters.ts';

type UsersTabProps = {
  level: AdminLevel;
  /** Receives the IDs of the displayed rows, for the debug line. */
  onRows: (ids: readonly string[]) => void;
};

/** Scrolls to the top when the page changes: the paging buttons are below the list. */
function useTopOfPage(page: number): RefObject<HTMLDivElement | null> {
  const top = useRef<HTMLDivElement>(null);
  const last = useRef(page);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    top.current?.scrollIntoView({ block: 'start' });
  }, [page]);
  return top;
}

function LoadingUsers() {
  return (
    <>
      <p role="status" className="mb-2 text-control text-ink-2">
        {t('Loading users...')}
      </p>
      <div aria-busy className="flex flex-col gap-2">
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-16 w-full" />
      </div>
    </>
  );
}

function NobodyFound({ isOfAll, onClear }: { isOfAll: boolean; onClear: () => void }) {
  return (
    <EmptyState
      icon={<Users />}
      title={t('No users found')}
      text={
        isOfAll
          ? t('No users match your search and filters.')
          : t('No users on this page match your search and filters.')
      }
      action={
        <Button variant="outline" onClick={onClear}>
          {t('Clear All')}
        </Button>
      }
    />
  );
}

export function UsersTab({ level, onRows }: UsersTabProps) {
  const { page, search, filters, isOfAll: isAsked, select, openPage } = useConsoleAddress();
  const filterCount = countFilters(filters);
  const isOfAll = isAsked && filterCount > 0;
  const { typed, setTyped, isSettled } = useTypedSearch(
    search,
    useCallback((next: string) => select({ search: next }), [select]),
  );
  const [areFiltersShown, setFiltersShown] = useState(filterCount > 0);
  const [chosen, setChosen] = useState<AdminUser | null>(null);
  const top = useTopOfPage(page);
  const users = useUsers(page, search, isOfAll ? filters : noFilters);
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = users;
  // The rows of the previous search stay until the new ones arrive: the new search may find users
  // of other pages.
  const localSearch = isSettled && !isPlaceholderData ? search : '';
  const shown = data === undefined ? [] : filterUsers(data.users, filters, localSearch);
  const rowIds = shown.map(({ id }) => id).join(' ');
  useEffect(() => onRows(rowIds === '' ? [] : rowIds.split(' ')), [rowIds, onRows]);
  const change = (next: UserFilters) =>
    select(countFilters(next) === 0 ? { filters: next, isOfAll: false } : { filters: next });
  const clear = () => {
    select({ filters: noFilters, isOfAll: false, search: '' });
    setTyped('');
  };
  const pages = Math.min(ADMIN_PAGE_MAX, Math.ceil((data?.total_count ?? 0) / USERS_PER_PAGE));
  return (
    <div ref={top} className="scroll-mt-4">
      <div className="mb-3 flex flex-wrap gap-2">
        <UserSearch typed={typed} onType={setTyped} />
        <Button
          variant={areFiltersShown || filterCount > 0 ? 'soft' : 'outline'}
          size="field"
          aria-expanded={areFiltersShown}
          onClick={() => setFiltersShown(!areFiltersShown)}
        >
          <ListFilter aria-hidden size={15} />
          {t('Filters')}
          {filterCount > 0 && <span className="tabular-nums">{filterCount}</span>}
        </Button>
      </div>
      {areFiltersShown && <FilterPanel filters={filters} onChange={change} />}
      {isPending && <LoadingUsers />}
      {data !== undefined && (
        <UserCount
          shown={shown.length}
          loaded={data.users.length}
          total={data.total_count}
          hasFilters={filterCount > 0}
          isOfAll={isOfAll}
          onOfAll={next => select({ isOfAll: next })}
        />
      )}
      {error !== null && data === undefined && (
        <ErrorState
          title={t('Failed to load users')}
          text={loadFailureText('users', error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data !== undefined && shown.length === 0 && <NobodyFound isOfAll={isOfAll} onClear={clear} />}
      {shown.length > 0 && (
        <div aria-busy={isFetching}>
          <UserTable users={shown} onView={setChosen} />
        </div>
      )}
      {pages > 1 && (
        <div className="mt-4">
          <Pagination page={page} pages={pages} onChange={openPage} />
        </div>
      )}
      {chosen !== null && <ManageUserDialog user={chosen} level={level} onClose={() => setChosen(null)} />}
    </div>
  );
}

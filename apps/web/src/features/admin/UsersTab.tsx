// User Management (Spec §2, §5): a search that waits for a pause and starts on page 1, filters of the loaded page, the
// count line, the users, pages, and the dialog of one account.
import type { AdminUser } from '@keyfold/contract';
import { ADMIN_PAGE_MAX, ADMIN_SEARCH_MAX_CHARACTERS, type AdminLevel } from '@keyfold/contract/limits';
import { ListFilter, Search, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import { searchDebounceMs } from '../../timing.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { loadFailureText } from './admin-errors.ts';
import { FilterPanel } from './FilterPanel.tsx';
import { ManageUserDialog } from './ManageUserDialog.tsx';
import { usersPerPage, useUsers } from './queries.ts';
import { UserTable } from './UserTable.tsx';
import { countFilters, filterUsers, noFilters, type UserFilters } from './user-filters.ts';

interface UsersTabProps {
  level: AdminLevel;
  /** Ids of the rows that are shown, for the debug line. */
  onRows: (ids: readonly string[]) => void;
}

/** What was typed, once nobody typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), searchDebounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The tab. */
export function UsersTab({ level, onRows }: UsersTabProps) {
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim());
  const [page, setPage] = useState(1);
  const [filters, setFilters] = useState<UserFilters>(noFilters);
  const [areFiltersShown, setFiltersShown] = useState(false);
  const [chosen, setChosen] = useState<AdminUser | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins with its first page
  useEffect(() => setPage(1), [search]);
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useUsers(page, search);
  // The rows of the search before stand until those of this one are there: it may find people of other pages.
  const isSettled = typed.trim() === search && !isPlaceholderData;
  const shown = data === undefined ? [] : filterUsers(data.users, filters, isSettled ? search : '');
  const rowIds = shown.map(({ id }) => id).join(' ');
  useEffect(() => onRows(rowIds === '' ? [] : rowIds.split(' ')), [rowIds, onRows]);
  const filterCount = countFilters(filters);
  const change = (next: UserFilters) => {
    setFilters(next);
    setPage(1);
  };
  const clear = () => {
    change(noFilters);
    setTyped('');
  };
  const pages = Math.min(ADMIN_PAGE_MAX, Math.ceil((data?.total_count ?? 0) / usersPerPage));
  return (
    <>
      <div className="mb-3 flex gap-2">
        <label className="flex h-10 min-w-0 max-w-96 flex-1 items-center gap-2.5 rounded-control border border-line-strong bg-surface px-3 focus-within:outline-2 focus-within:outline-focus pointer-coarse:h-11">
          <Search aria-hidden size={16} className="shrink-0 text-ink-3" />
          <input
            type="search"
            aria-label={t('Search users')}
            placeholder={t('Search users by name, email...')}
            autoComplete="off"
            maxLength={ADMIN_SEARCH_MAX_CHARACTERS}
            value={typed}
            onChange={event => setTyped(event.target.value)}
            className="h-full min-w-0 flex-1 bg-transparent text-base text-ellipsis outline-none placeholder:text-ink-3"
          />
        </label>
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
      <p role="status" className="mb-2 text-control text-ink-2">
        {isPending
          ? t('Loading users...')
          : data !== undefined &&
            t(
              '{shown} of {count, plural, one {# user} other {# users}} on this page match. {total, plural, one {# user} other {# users}} in total.',
              { shown: shown.length, count: data.users.length, total: data.total_count },
            )}
      </p>
      {isPending && (
        <div aria-busy className="flex flex-col gap-2">
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-16 w-full" />
        </div>
      )}
      {error !== null && data === undefined && (
        <ErrorState
          title={t('Failed to load users')}
          text={loadFailureText('users', error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data !== undefined && shown.length === 0 && (
        <EmptyState
          icon={<Users />}
          title={t('No users found')}
          text={t('Nobody on this page matches the search and the filters.')}
          action={
            <Button variant="outline" onClick={clear}>
              {t('Clear All')}
            </Button>
          }
        />
      )}
      {shown.length > 0 && (
        <div aria-busy={isFetching}>
          <UserTable users={shown} onView={setChosen} />
        </div>
      )}
      {pages > 1 && (
        <div className="mt-4">
          <Pagination page={page} pages={pages} onChange={setPage} />
        </div>
      )}
      {chosen !== null && <ManageUserDialog user={chosen} level={level} onClose={() => setChosen(null)} />}
    </>
  );
}

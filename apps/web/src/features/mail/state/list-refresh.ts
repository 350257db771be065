// Refreshes lists. A short list is fetched whole. Of a long list only the newest page is fetched
// and the known rest stays below it, so that a list scrolled through ten thousand messages is not
// fetched again for each change.
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import {
  flagChangesKey,
  idOf,
  listsKey,
  type MailPages,
  type PageStart,
  type WholePage,
} from './mail-cache.ts';

/** Fetches one page of a list; stored in the `meta` of its query. */
export type FetchPage = (start: PageStart) => Promise<WholePage>;

/** Maximum number of pages of a list that is fetched whole. */
const PAGES_FETCHED_WHOLE = 3;

/**
 * Returns the known pages with a fresh first page. Rows between the last fresh row and that row's
 * known position are dropped.
 */
export function withFreshHead(known: MailPages, fresh: WholePage): MailPages {
  const [start] = known.pageParams;
  const last = fresh.rows.at(-1)?.mail.id;
  const anchorPage = known.pages.findIndex(page => page.rows.some(row => idOf(row) === last));
  // More than a page of new mail: the rows in between are unknown, so the list restarts.
  if (start === undefined || last === undefined || anchorPage < 0)
    return { pages: [fresh], pageParams: start === undefined ? [] : [start] };
  const freshIds = new Set(fresh.rows.map(({ mail }) => mail.id));
  const anchorRows = known.pages[anchorPage]?.rows ?? [];
  const at = anchorRows.findIndex(row => idOf(row) === last);
  const rest = anchorRows.slice(at + 1).filter(row => !freshIds.has(idOf(row)));
  return {
    pages: [
      { rows: [...fresh.rows, ...rest], count: fresh.count },
      ...known.pages.slice(anchorPage + 1).map(page => ({ ...page, count: fresh.count })),
    ],
    pageParams: [start, ...known.pageParams.slice(anchorPage + 1)],
  };
}

/** Returns whether a refresh fetches every page of the list. */
export const isFetchedWhole = ({ state }: { readonly state: { readonly data: unknown } }): boolean =>
  ((state.data as MailPages | undefined)?.pages.length ?? 0) <= PAGES_FETCHED_WHOLE;

/**
 * Maximum number of consecutive responses discarded because the list changed locally in the
 * meantime.
 */
const ANSWERS_GIVEN_UP = 2;

type Freshening = {
  readonly work: Promise<void>;
  /**
   * Shared by all callers since the work began, because its request may predate the changes they
   * want.
   */
  next: Promise<void> | null;
};

const freshening = new Map<string, Freshening>();

/**
 * Fetches the newest page of a long list. One request at a time, and one more for all callers in
 * the meantime. Resolves when a request sent after the call is answered, and rejects when that
 * request fails.
 */
export function freshenHead(cache: QueryClient, key: QueryKey): Promise<void> {
  const name = JSON.stringify(key);
  const running = freshening.get(name);
  if (running !== undefined) {
    running.next ??= running.work
      .catch(() => undefined)
      .then(() => freshening.get(name)?.work ?? freshenHead(cache, key));
    return running.next;
  }
  const work = fetchHead(cache, key).finally(() => freshening.delete(name));
  freshening.set(name, { work, next: null });
  return work;
}

async function fetchHead(cache: QueryClient, key: QueryKey): Promise<void> {
  const query = cache.getQueryCache().find<MailPages>({ queryKey: key, exact: true });
  const fetchPage = query?.meta?.fetchPage as FetchPage | undefined;
  for (let givenUp = 0; ; givenUp += 1) {
    const start = query?.state.data?.pageParams[0];
    if (query === undefined || fetchPage === undefined || start === undefined) return;
    const count = query.state.dataUpdateCount;
    const fresh = await fetchPage(start);
    // A further page still being fetched would overwrite this list with the older one.
    await whenFetched(query);
    // A change by the user is being sent. The response does not include it, and that change
    // refreshes the list itself.
    if (cache.isMutating({ mutationKey: flagChangesKey }) > 0) return;
    // In a list that changes constantly the response is applied anyway: changes made there refresh
    // the list once more afterwards.
    if (query.state.dataUpdateCount !== count && givenUp < ANSWERS_GIVEN_UP) continue;
    cache.setQueryData<MailPages>(key, known => known && withFreshHead(known, fresh));
    return;
  }
}

/** Waits for a pending request, whatever its outcome. */
const whenFetched = async ({ state, promise }: Pick<Query, 'state' | 'promise'>): Promise<unknown> =>
  state.fetchStatus === 'fetching' ? promise?.catch(() => undefined) : undefined;

/**
 * Returns whether the first response is pending. Another request would share it, although it may
 * predate the change.
 */
const isComing = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus !== 'idle';

/**
 * Fetches the visible queries again now, and the others when they are shown. Fetches once more
 * where the first response was pending.
 */
export async function askAgain(
  cache: QueryClient,
  filters: { readonly queryKey: QueryKey; readonly predicate?: (query: Query) => boolean },
): Promise<void> {
  const coming = cache.getQueryCache().findAll(filters).filter(isComing);
  await cache.invalidateQueries(filters);
  await Promise.all(coming.map(whenFetched));
  await Promise.all(coming.map(({ queryKey }) => cache.invalidateQueries({ queryKey, exact: true })));
}

/** Refreshes every visible list; the others are refreshed when they are shown. */
export async function refreshLists(cache: QueryClient): Promise<void> {
  const long = cache.getQueryCache().findAll({
    queryKey: listsKey,
    type: 'active',
    predicate: query => !isFetchedWhole(query),
  });
  await Promise.all([
    askAgain(cache, { queryKey: listsKey, predicate: isFetchedWhole }),
    ...long.map(({ queryKey }) => freshenHead(cache, queryKey)),
  ]);
}

/** Reloads every list from its beginning, because rows have changed throughout. */
export async function beginListsAnew(cache: QueryClient): Promise<void> {
  cache.setQueriesData<MailPages>(
    { queryKey: listsKey, predicate: query => !isFetchedWhole(query) },
    known =>
      known && {
        pages: known.pages.slice(0, PAGES_FETCHED_WHOLE),
        pageParams: known.pageParams.slice(0, PAGES_FETCHED_WHOLE),
      },
  );
  await cache.invalidateQueries({ queryKey: listsKey });
}

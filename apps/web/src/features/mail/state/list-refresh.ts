// Asks for lists again. A short list is fetched whole; of a long one only the newest page is, and what is known of the
// rest stays below it: a list that somebody has scrolled through ten thousand mails is not fetched anew for each change.
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { idOf, listsKey, type MailPages, marksKey, type PageStart, type WholePage } from './mail-cache.ts';

/** How a list gets one of its pages; stands in the `meta` of its query. */
export type FetchPage = (start: PageStart) => Promise<WholePage>;

/** Lists of at most this many pages are fetched whole. */
const PAGES_FETCHED_WHOLE = 3;

/** The known pages with a fresh first page: rows between its last row and the known place of that row are gone. */
export function withFreshHead(known: MailPages, fresh: WholePage): MailPages {
  const [start] = known.pageParams;
  const last = fresh.rows.at(-1)?.mail.id;
  const anchorPage = known.pages.findIndex(page => page.rows.some(row => idOf(row) === last));
  // More new mail than a page: what lies between is not known, so the list begins anew.
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

/** Whether asking for the list again asks for every page of it. */
export const isFetchedWhole = ({ state }: { readonly state: { readonly data: unknown } }): boolean =>
  ((state.data as MailPages | undefined)?.pages.length ?? 0) <= PAGES_FETCHED_WHOLE;

/** Answers in a row that are given up because the list changed here meanwhile. */
const ANSWERS_GIVEN_UP = 2;

type Freshening = {
  readonly work: Promise<void>;
  /** For all who asked since that work began: its request may be from before what they ask for. */
  next: Promise<void> | null;
};

const freshening = new Map<string, Freshening>();

/**
 * Asks for the newest page of a long list; at most once at a time, and once more for all who ask meanwhile. Ends when a request
 * that went out after the call was answered, and fails when that one failed.
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
    // A further page that is on its way would put the list of before in the place of this one.
    await whenFetched(query);
    // Somebody's own change is on its way: the answer does not know of it, and that change asks again by itself.
    if (cache.isMutating({ mutationKey: marksKey }) > 0) return;
    // In a list that never rests the answer is taken all the same: who changes marks there asks once more afterwards.
    if (query.state.dataUpdateCount !== count && givenUp < ANSWERS_GIVEN_UP) continue;
    cache.setQueryData<MailPages>(key, known => known && withFreshHead(known, fresh));
    return;
  }
}

/** Waits for a request that is on its way, however it ends. */
const whenFetched = async ({ state, promise }: Pick<Query, 'state' | 'promise'>): Promise<unknown> =>
  state.fetchStatus === 'fetching' ? promise?.catch(() => undefined) : undefined;

/** Whether its first answer is under way: who asks again meanwhile is given that one, which may be from before the change. */
const isComing = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus !== 'idle';

/** Asks for what is shown of these again, the rest when it is shown; once more where the first answer was under way. */
export async function askAgain(
  cache: QueryClient,
  filters: { readonly queryKey: QueryKey; readonly predicate?: (query: Query) => boolean },
): Promise<void> {
  const coming = cache.getQueryCache().findAll(filters).filter(isComing);
  await cache.invalidateQueries(filters);
  await Promise.all(coming.map(whenFetched));
  await Promise.all(coming.map(({ queryKey }) => cache.invalidateQueries({ queryKey, exact: true })));
}

/** Asks for every list that is shown again; the others are asked for when they are shown. */
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

/** Asks for every list from its beginning: rows all over them have changed. */
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

// Limits the memory of a list that was scrolled through a hundred thousand messages: rows around
// the visible ones are kept in full, all others only as ids. A row takes about 1.2 KB, its id 50
// bytes. Rows that come near again are fetched again, page by page.
import { CallError } from '@keyfold/contract/client';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { FetchPage } from '../state/list-refresh.ts';
import {
  idOf,
  isPresent,
  type ListRow,
  type MailPage,
  type MailPages,
  type MailRowData,
  type PageStart,
} from '../state/mail-cache.ts';

/** The first pages always stay in full, because Home and new mail lead there. */
const PAGES_ON_TOP = 6;
/** Number of full pages kept before and after the visible rows. */
const PAGES_AROUND = 16;
/** Fewer pages than this do not justify updating the list. */
const PAGES_AT_ONCE = 8;
/** Distance, in pages, within which missing pages are fetched again. */
const PAGES_AHEAD = 5;
/**
 * Maximum number of fetches for one page, when more rows than a page holds have arrived in its
 * place.
 */
const FETCHES_MAX = 4;

/** Visible rows by index, from `first` up to, but not including, `end`. */
export type SeenRows = {
  readonly first: number;
  readonly end: number;
};

/** Returns the first and the last page with visible rows. */
function seenPages({ pages }: MailPages, { first, end }: SeenRows): readonly [number, number] {
  let from = 0;
  let to = 0;
  let start = 0;
  for (const [index, { rows }] of pages.entries()) {
    if (start <= first) from = index;
    if (start < end) to = index;
    start += rows.length;
  }
  return [from, to];
}

const isWhole = ({ rows }: MailPage): boolean => rows.every(isPresent);

const aside = (page: MailPage): MailPage => ({
  ...page,
  rows: page.rows.map(row => ({ asideId: idOf(row) })),
});

/**
 * Returns the list with pages far from the visible rows reduced to ids, except pages with held
 * rows. Returns the same list when only a few pages qualify.
 */
export function withFarPagesAside(
  pages: MailPages,
  seen: SeenRows,
  isHeld: (id: string) => boolean,
): MailPages {
  const [from, to] = seenPages(pages, seen);
  const isFar = (page: MailPage, index: number): boolean =>
    index >= PAGES_ON_TOP &&
    (index < from - PAGES_AROUND || index > to + PAGES_AROUND) &&
    page.rows.some(isPresent) &&
    !page.rows.some(row => isHeld(idOf(row)));
  const far = new Set(pages.pages.filter(isFar));
  if (far.size < PAGES_AT_ONCE) return pages;
  return { ...pages, pages: pages.pages.map(page => (far.has(page) ? aside(page) : page)) };
}

/** Returns the numbers of incomplete pages that are visible or near, visible ones first. */
export function missingPages(pages: MailPages, seen: SeenRows): readonly number[] {
  const [from, to] = seenPages(pages, seen);
  const distance = (index: number): number => Math.max(0, from - index, index - to);
  return pages.pages
    .flatMap((page, index) => (distance(index) <= PAGES_AHEAD && !isWhole(page) ? [index] : []))
    .toSorted((a, b) => distance(a) - distance(b));
}

/** Returns the numbers of incomplete pages that contain one of these rows. */
const pagesWith = ({ pages }: MailPages, ids: ReadonlySet<string>): readonly number[] =>
  pages.flatMap((page, index) =>
    page.rows.some(row => !isPresent(row) && ids.has(idOf(row))) ? [index] : [],
  );

/**
 * Returns the list with the rows of one page replaced, or the same list when no page contains these
 * rows now. Each message occurs in the list once.
 */
export function withRowsOfPage(
  pages: MailPages,
  before: readonly ListRow[],
  rows: readonly MailRowData[],
): MailPages {
  const at = pages.pages.findIndex(page => page.rows === before);
  if (at < 0) return pages;
  const elsewhere = new Set(pages.pages.flatMap((page, index) => (index === at ? [] : page.rows.map(idOf))));
  const own = rows.filter(({ mail }) => !elsewhere.has(mail.id));
  return {
    ...pages,
    pages: pages.pages.map((page, index) => (index === at ? { ...page, rows: own } : page)),
  };
}

/**
 * Returns the current start of the page: after the row before it. A page of search hits starts at
 * its position in the index.
 */
function startOf({ pages, pageParams }: MailPages, index: number): PageStart {
  const param = pageParams[index];
  const previous = pages[index - 1]?.rows.at(-1);
  if (param !== undefined && !('lastId' in param)) return param;
  return previous === undefined ? { skip: 0 } : { lastId: idOf(previous) };
}

/** Returns the number of rows before the page, including those before the list's own start. */
function rowsBefore({ pages, pageParams }: MailPages, index: number): number {
  const [first] = pageParams;
  const skipped = first !== undefined && 'skip' in first ? first.skip : 0;
  return pages.slice(0, index).reduce((sum, { rows }) => sum + rows.length, skipped);
}

/** Fetches the rows between the previous page and the next. */
async function fetchRowsOf(pages: MailPages, index: number, fetchPage: FetchPage): Promise<MailRowData[]> {
  const own = pages.pages[index]?.rows.at(-1);
  const later = new Set(pages.pages[index + 1]?.rows.map(idOf));
  const rows: MailRowData[] = [];
  let start = startOf(pages, index);
  for (let fetches = 0; fetches < FETCHES_MAX; fetches++) {
    const page = await fetchPage(start).catch((error: unknown) => {
      // The message that the page started after was permanently deleted; its row number gives the
      // approximate start.
      if (!(error instanceof CallError && error.status === 404 && 'lastId' in start)) throw error;
      return fetchPage({ skip: rowsBefore(pages, index) });
    });
    const end = page.rows.findIndex(({ mail }) => later.has(mail.id));
    rows.push(...(end < 0 ? page.rows : page.rows.slice(0, end)));
    const last = page.rows.at(-1);
    const isReached = page.rows.some(({ mail }) => own !== undefined && mail.id === idOf(own));
    if (last === undefined || end >= 0 || isReached || later.size === 0 || page.next === null) break;
    start = page.next ?? { lastId: last.mail.id };
  }
  return rows;
}

async function fillPage(cache: QueryClient, key: QueryKey, index: number): Promise<void> {
  const query = cache.getQueryCache().find<MailPages>({ queryKey: key, exact: true });
  const fetchPage = query?.meta?.fetchPage as FetchPage | undefined;
  const pages = query?.state.data;
  const before = pages?.pages[index]?.rows;
  if (fetchPage === undefined || pages === undefined || before === undefined) return;
  const rows = await fetchRowsOf(pages, index, fetchPage);
  cache.setQueryData<MailPages>(key, known => known && withRowsOfPage(known, before, rows));
}

/**
 * Reduces rows far from the visible ones to ids, then fetches missing ones nearby. Rejects when a
 * fetch fails.
 */
export async function keepWindow(
  cache: QueryClient,
  key: QueryKey,
  seen: () => SeenRows,
  isHeld: (id: string) => boolean,
): Promise<void> {
  const known = cache.getQueryData<MailPages>(key);
  const kept = known && withFarPagesAside(known, seen(), isHeld);
  // If nothing was reduced, the list object must stay the same, so that pending responses still
  // apply to it.
  if (kept !== known) cache.setQueryData<MailPages>(key, kept);
  const tried = new Set<readonly ListRow[]>();
  for (;;) {
    // Read again before each page, so that a user who keeps scrolling does not wait for pages that
    // were passed.
    const pages = cache.getQueryData<MailPages>(key);
    const next =
      pages && missingPages(pages, seen()).find(index => !tried.has(pages.pages[index]?.rows ?? []));
    if (pages === undefined || next === undefined) return;
    tried.add(pages.pages[next]?.rows ?? []);
    await fillPage(cache, key, next);
  }
}

/** Fetches the pages with these rows, and returns those rows that still exist. */
export async function bringBack(
  cache: QueryClient,
  key: QueryKey,
  ids: ReadonlySet<string>,
): Promise<readonly MailRowData[]> {
  const known = () => cache.getQueryData<MailPages>(key);
  const missing = pagesWith(known() ?? { pages: [], pageParams: [] }, ids);
  for (const index of missing) await fillPage(cache, key, index);
  return (known()?.pages ?? []).flatMap(({ rows }) =>
    rows.filter(isPresent).filter(({ mail }) => ids.has(mail.id)),
  );
}

// The rows of mail that queries brought: how they lie in the query cache, and how an action changes them at once in
// every list they stand in (docs/interface.md#undo). No request is made here.
import type { Email } from '@keyfold/contract';
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { OpenedRow } from '../../../crypto/mail/row-opener.ts';
import { countsKey, listsKey } from '../../../session/news/mail-news.ts';
import type { MailQuery } from './folders.ts';

export { countsKey, listsKey };

/** A mail of a list with its opened summary. */
export type MailRowData = { readonly mail: Email; readonly opened: OpenedRow };

/** What is kept of a row that is far from what is seen (list-window.ts): where it stands. */
export type AsideRow = { readonly asideId: string };

export type ListRow = MailRowData | AsideRow;

/** Whether a row is kept whole. */
export const isPresent = (row: ListRow): row is MailRowData => 'mail' in row;

/** The mail's id. */
export const idOf = (row: ListRow): string => (isPresent(row) ? row.mail.id : row.asideId);

export type MailPage<Row extends ListRow = ListRow> = {
  readonly rows: readonly Row[];
  readonly count: number;
  /** Of a search: whether the count is an estimate, and where the next page begins. */
  readonly isAbout?: boolean;
  readonly next?: PageStart | null;
};

/** A page as it was fetched. */
export type WholePage = MailPage<MailRowData>;

export type MailPages = InfiniteData<MailPage, PageStart>;

/** Where a page begins: after a mail, after so many, or after a hit of the search index. */
export type PageStart =
  | { readonly lastId: string }
  | { readonly skip: number }
  | { readonly after: { readonly at: number; readonly id: string } | null };

/**
 * The key of a list: all that is asked for, so that two queries never share a page (docs/spec-map.md 4.23,
 * docs/interpretations.md#54).
 */
export const listKey = (word: string, query: MailQuery, index: number) =>
  [...listsKey, word, query, index] as const;
/** First part of the key of every opened mail and conversation. */
export const conversationsKey = ['conversation'] as const;
/** The key of every change of marks: they are sent one after the other, in the order in which they were made. */
export const marksKey = ['marks'] as const;

/** Applies `change` to these mails in every list; a change that returns null takes the mail out of that list. */
export function changeInLists(
  cache: QueryClient,
  ids: ReadonlySet<string>,
  change: (row: MailRowData, listWord: string) => MailRowData | null,
): void {
  const lists = cache.getQueryCache().findAll({ queryKey: listsKey });
  for (const { queryKey } of lists) {
    const word = String(queryKey[1]);
    cache.setQueryData<MailPages>(
      queryKey,
      pages => pages && changePages(pages, ids, row => change(row, word)),
    );
  }
}

function changePages(
  pages: MailPages,
  ids: ReadonlySet<string>,
  change: (row: MailRowData) => MailRowData | null,
): MailPages {
  let removed = 0;
  const isMeant = (row: ListRow): row is MailRowData => isPresent(row) && ids.has(row.mail.id);
  const changed = pages.pages.map(page => {
    if (!page.rows.some(isMeant)) return page;
    const rows = page.rows.flatMap((row): readonly ListRow[] => {
      if (!isMeant(row)) return [row];
      const next = change(row);
      if (next === null) removed += 1;
      return next === null ? [] : [next];
    });
    return { ...page, rows };
  });
  const counted = (page: MailPage) => ({ ...page, count: Math.max(0, page.count - removed) });
  return { ...pages, pages: removed === 0 ? changed : changed.map(counted) };
}

/** Where some mails stood, and what they were, in every list and conversation. */
export type Placed = {
  readonly lists: readonly {
    readonly key: QueryKey;
    readonly order: readonly string[];
    readonly rows: ReadonlyMap<string, MailRowData>;
  }[];
  readonly mails: ReadonlyMap<string, MailRowData>;
};

/** Notes where these mails stand, so that they can be put back there. */
export function notePlaces(cache: QueryClient, ids: ReadonlySet<string>): Placed {
  const mails = new Map<string, MailRowData>();
  const note = (row: MailRowData) => {
    if (ids.has(row.mail.id)) mails.set(row.mail.id, row);
  };
  for (const [, rows] of cache.getQueriesData<readonly MailRowData[]>({ queryKey: conversationsKey }))
    rows?.forEach(note);
  const lists = cache.getQueriesData<MailPages>({ queryKey: listsKey }).flatMap(([key, pages]) => {
    const all = pages?.pages.flatMap(page => page.rows) ?? [];
    const present = all.filter(isPresent).filter(({ mail }) => ids.has(mail.id));
    present.forEach(note);
    const rows = new Map(present.map(row => [row.mail.id, row]));
    return rows.size === 0 ? [] : [{ key, order: all.map(idOf), rows }];
  });
  return { lists, mails };
}

/** The mail as some list or conversation has it now, or null. */
export function findMail(cache: QueryClient, id: string): Email | null {
  return notePlaces(cache, new Set([id])).mails.get(id)?.mail ?? null;
}

/** Puts noted mails back as they were: those that left a list into their old place, the others with their old flags. */
export function putBack(cache: QueryClient, { lists, mails }: Placed): void {
  for (const { key, order, rows } of lists) {
    cache.setQueryData<MailPages>(key, pages => pages && insertRows(pages, order, rows));
  }
  cache.setQueriesData<readonly MailRowData[]>({ queryKey: conversationsKey }, rows =>
    rows?.map(row => {
      const before = mails.get(row.mail.id);
      return before === undefined ? row : { ...row, mail: before.mail };
    }),
  );
}

function insertRows(
  { pages, ...rest }: MailPages,
  order: readonly string[],
  rows: ReadonlyMap<string, MailRowData>,
): MailPages {
  const kept = pages.map(page => page.rows.map(row => rows.get(idOf(row)) ?? row));
  const place = new Map(order.map((id, at) => [id, at]));
  const present = new Set(kept.flat().map(idOf));
  let added = 0;
  for (const id of order) {
    const row = rows.get(id);
    if (row === undefined || present.has(id)) continue;
    added += 1;
    const at = place.get(id) ?? 0;
    const isLater = (other: ListRow) => (place.get(idOf(other)) ?? -1) > at;
    const page = kept.find(one => one.some(isLater)) ?? kept.at(-1);
    const before = page?.findIndex(isLater) ?? -1;
    page?.splice(before < 0 ? page.length : before, 0, row);
  }
  return {
    ...rest,
    pages: pages.map((page, index) => ({ ...page, rows: kept[index] ?? [], count: page.count + added })),
  };
}

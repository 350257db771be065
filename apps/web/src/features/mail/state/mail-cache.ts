// Message rows in the query cache: their structure, and how an action changes them immediately in
// every list that contains them (docs/interface.md#undo). Sends no requests.
import type { Email } from '@keyfold/contract';
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { OpenedRow } from '../../../crypto/mail/row-opener.ts';
import { countsKey, listsKey } from '../../../session/news/mail-news.ts';
import type { MailQuery } from './folders.ts';

export { countsKey, listsKey };

/** A message of a list with its decrypted summary. */
export type MailRowData = { readonly mail: Email; readonly opened: OpenedRow };

/** Placeholder for a row far from the visible ones (list-window.ts): keeps its position. */
export type AsideRow = { readonly asideId: string };

export type ListRow = MailRowData | AsideRow;

/** Returns whether a row is kept in full. */
export const isPresent = (row: ListRow): row is MailRowData => 'mail' in row;

/** Returns the message id. */
export const idOf = (row: ListRow): string => (isPresent(row) ? row.mail.id : row.asideId);

export type MailPage<Row extends ListRow = ListRow> = {
  readonly rows: readonly Row[];
  readonly count: number;
  /** Searches only: whether the count is an estimate, and where the next page begins. */
  readonly isAbout?: boolean;
  readonly next?: PageStart | null;
};

/** A page as fetched. */
export type WholePage = MailPage<MailRowData>;

export type MailPages = InfiniteData<MailPage, PageStart>;

/**
 * Start of a page: after a message, after a number of messages, or after a hit of the search index.
 */
export type PageStart =
  | { readonly lastId: string }
  | { readonly skip: number }
  | { readonly after: { readonly at: number; readonly id: string } | null };

/**
 * Returns the key of a list. It includes the whole query, so that two queries never share a page
 * (docs/spec-map.md 4.23, docs/interpretations.md#54).
 */
export const listKey = (word: string, query: MailQuery, index: number) =>
  [...listsKey, word, query, index] as const;
/** First part of the keys of all opened messages and conversations. */
export const conversationsKey = ['conversation'] as const;
/**
 * Key of all message changes. They are sent one at a time, in the order in which they were made.
 */
export const flagChangesKey = ['flag_changes'] as const;

/**
 * Applies `change` to these messages in every list. When `change` returns null, the message is
 * removed from that list.
 */
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

/** Positions and state of messages in every list and conversation. */
export type Placed = {
  readonly lists: readonly {
    readonly key: QueryKey;
    readonly order: readonly string[];
    readonly rows: ReadonlyMap<string, MailRowData>;
  }[];
  readonly mails: ReadonlyMap<string, MailRowData>;
};

/** Records the positions of these messages, so that they can be restored. */
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

/** Returns the current cached copy of a message from a list or conversation, or null. */
export function findMail(cache: QueryClient, id: string): Email | null {
  return notePlaces(cache, new Set([id])).mails.get(id)?.mail ?? null;
}

/**
 * Restores recorded messages: those that left a list to their old position, the others to their old
 * flags.
 */
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

// The rows of mail that queries brought: how they lie in the query cache, and how an action changes them at once in
// every list they stand in (ux section 1, Undo: optimistic). No request is made here.
import type { Email } from '@keyfold/contract';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { OpenedRow } from '../../crypto/row-opener.ts';

/** A mail of a list with its opened summary. */
export type MailRowData = { readonly mail: Email; readonly opened: OpenedRow };

export type MailPage = { readonly rows: readonly MailRowData[]; readonly count: number };

export type MailPages = InfiniteData<MailPage, PageStart>;

/** Where a page begins: after a mail, or after so many. */
export type PageStart = { readonly lastId: string } | { readonly skip: number };

/** First part of the key of every list. */
export const listsKey = ['mail-list'] as const;
/** First part of the key of every opened mail and conversation. */
export const conversationsKey = ['conversation'] as const;
export const countsKey = ['mail-counts'] as const;

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
  const changed = pages.pages.map(page => ({
    ...page,
    rows: page.rows.flatMap(row => {
      if (!ids.has(row.mail.id)) return [row];
      const next = change(row);
      if (next === null) removed += 1;
      return next === null ? [] : [next];
    }),
  }));
  return { ...pages, pages: changed.map(page => ({ ...page, count: Math.max(0, page.count - removed) })) };
}

/** What every list holds now, to be put back when an action fails. */
export function snapshotLists(cache: QueryClient): () => void {
  const before = cache.getQueriesData<MailPages>({ queryKey: listsKey });
  return () => {
    for (const [key, pages] of before) cache.setQueryData(key, pages);
  };
}

// Reads mail: pages of lists built from summaries, conversations, counts. Rows are decrypted in the
// key worker; a list never needs a body. Query keys contain the whole query, so two queries never
// share a page (docs/interpretations.md#54).
import type { Email } from '@keyfold/contract';
import { isTnefFile } from '@keyfold/mail/mime/container-kind';
import {
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys } from '../../../crypto/key-client.ts';
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';
import type { OpenedRow } from '../../../crypto/mail/row-opener.ts';
import { endWithSession } from '../../../crypto/worker/session-end.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { SEARCH_SNIPPET_MS } from '../../../timing.ts';
import { type MailQuery, queryOf } from './folders.ts';
import { type FetchPage, freshenHead, isFetchedWhole } from './list-refresh.ts';
import {
  countsKey,
  idOf,
  isPresent,
  type ListRow,
  listKey,
  listsKey,
  type MailPages,
  type MailRowData,
  type PageStart,
  type WholePage,
} from './mail-cache.ts';
import { pageWithPendingChanges } from './pending-changes.ts';
import type { ListFilter } from './view-model.ts';

export { beginListsAnew } from './list-refresh.ts';
export { conversationsKey, countsKey, idOf, listsKey, type MailPages } from './mail-cache.ts';
export { refreshMail } from './mutations.ts';

/** Rows per page. */
export const PAGE_SIZE = 50;
/** Fetches and decrypts the rows that match a query. */
export async function fetchRows(query: MailQuery): Promise<WholePage> {
  const { data, count } = await mailClient.query({ ...query, view: 'summary' });
  return { rows: await openMails(data), count };
}

async function openMails(mails: readonly Email[]): Promise<MailRowData[]> {
  const opened = await keys().openRows([...mails]);
  keepWraps(mails).catch(() => undefined);
  return pair(mails, opened);
}

/** Start of the day, so that relative dates of a search mean the same on all its pages. */
const today = (): number => new Date().setHours(0, 0, 0, 0);

async function fetchHits(search: string, filter: ListFilter, start: PageStart): Promise<WholePage> {
  const { searchPage, withFilter } = await loadChunk('search', () => import('../../search/search-page.ts'));
  const from = 'skip' in start ? { after: null } : start;
  return searchPage(withFilter(search, filter), today(), from, openMails);
}

/** Number of rows per page of hits whose texts are read for snippets of the match. */
const SNIPPETS_MAX = 25;

/**
 * The snippets already moved for the newest search, so that a page that is fetched again has them
 * at once.
 */
let moved: { readonly search: string; readonly snippets: Map<string, string> } = {
  search: '',
  snippets: new Map(),
};

function forgetMoved(): void {
  moved = { search: '', snippets: new Map() };
}

function withMoved<Row extends ListRow>(search: string, row: Row): Row {
  const snippet = moved.search === search && isPresent(row) ? moved.snippets.get(idOf(row)) : undefined;
  if (snippet === undefined || !isPresent(row)) return row;
  return { ...row, opened: { ...row.opened, summary: { ...row.opened.summary, snippet } } };
}

/** Moves the snippets of hits to the matching text once the user has stopped typing. */
async function moveSnippets(cache: QueryClient, queryKey: QueryKey, search: string, { rows }: WholePage) {
  await new Promise(resolve => setTimeout(resolve, SEARCH_SNIPPET_MS));
  if (cache.getQueryCache().find({ queryKey, exact: true })?.isActive() !== true) return;
  const { hitSnippets } = await loadChunk('search', () => import('../../search/search-page.ts'));
  const read = rows.slice(0, SNIPPETS_MAX).filter(({ opened }) => opened.failed === null);
  const found = await hitSnippets(search, today(), read.map(idOf));
  if (found.size === 0) return;
  if (moved.search === '') endWithSession(forgetMoved);
  if (moved.search !== search) moved = { search, snippets: new Map() };
  for (const [id, snippet] of found) moved.snippets.set(id, snippet);
  cache.setQueryData<MailPages>(
    queryKey,
    data =>
      data && {
        ...data,
        pages: data.pages.map(page => ({ ...page, rows: page.rows.map(row => withMoved(search, row)) })),
      },
  );
}

/**
 * Saves cheaper key wraps for the next time. A list is complete without them, so failures are
 * ignored.
 */
async function keepWraps(mails: readonly Email[]): Promise<void> {
  const foreign = mails.flatMap(({ id, ciphertext, binding }) =>
    ciphertext === null || binding === null ? [] : [{ id, binding }],
  );
  if (foreign.length === 0) return;
  const wraps = await keys().wrapOpened(foreign);
  if (wraps.length > 0) await mailClient.rewrap({ wraps });
}

/** Shared empty array: most messages have neither tags nor files. */
const none: never[] = [];

/**
 * Returns a message without the fields needed only to open it. In a list of 50,000 they would take
 * 200 MB.
 */
const withoutSealed = (mail: Email): Email => ({
  ...mail,
  tags: mail.tags.length === 0 ? none : mail.tags,
  attachments: mail.attachments.length === 0 ? none : mail.attachments,
  body: null,
  summary: null,
  binding: null,
  ciphertext: null,
  encrypted_key: null,
  salt: null,
  headers: '',
});

/** Pairs messages with their decrypted summaries. */
export const pair = (mails: readonly Email[], opened: readonly OpenedRow[]): MailRowData[] =>
  opened.flatMap((row, index) => {
    const mail = mails[index];
    return mail === undefined ? [] : [{ mail: withoutSealed(mail), opened: row }];
  });

const startQuery = (start: PageStart): MailQuery =>
  'lastId' in start ? { last_id: start.lastId } : 'skip' in start ? { skip: start.skip } : {};

/** Query key of a list from page `index` on or, with `search`, of the search results. */
export const mailListKey = (word: string, filter: ListFilter, search: string, index: number): QueryKey =>
  search === '' ? listKey(word, queryOf(word, filter), index) : [...listsKey, 'all', { search, filter }, 0];

/**
 * Provides a list, page by page, from page `index` on. With `search`, provides the matching
 * messages of all folders.
 */
export function useMailList(word: string, filter: ListFilter, search: string, index: number) {
  const query = queryOf(word, filter);
  const isSearch = search !== '';
  const cache = useQueryClient();
  const queryKey = mailListKey(word, filter, search, index);
  const fetchPage: FetchPage = async start => {
    const page = isSearch
      ? await fetchHits(search, filter, start)
      : await fetchRows({ ...query, count: PAGE_SIZE, ...startQuery(start) });
    if (!isSearch) return pageWithPendingChanges(cache, page, word);
    moveSnippets(cache, queryKey, search, page).catch(() => undefined);
    const known = { ...page, rows: page.rows.map(row => withMoved(search, row)) };
    return pageWithPendingChanges(cache, known, 'all');
  };
  const name = JSON.stringify(queryKey);
  useEffect(() => {
    const shown = cache.getQueryCache().find<MailPages>({ queryKey: JSON.parse(name), exact: true });
    if (shown !== undefined && !isFetchedWhole(shown)) void freshenHead(cache, shown.queryKey);
  }, [cache, name]);
  return useInfiniteQuery({
    queryKey,
    meta: { fetchPage },
    // While the user types a search, the rows of the previous search stay. Rows of a folder would
    // look like hits.
    placeholderData: (before: MailPages | undefined, query?: { readonly queryKey: QueryKey }) =>
      isSearch && (query?.queryKey[2] as { search?: string } | undefined)?.search ? before : undefined,
    refetchOnMount: isFetchedWhole,
    refetchOnWindowFocus: isFetchedWhole,
    refetchOnReconnect: isFetchedWhole,
    initialPageParam: { skip: isSearch ? 0 : index * PAGE_SIZE } as PageStart,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    getNextPageParam: (last, pages): PageStart | null => {
      if (last.next !== undefined) return last.next;
      const lastRow = last.rows.at(-1);
      const known = index * PAGE_SIZE + pages.reduce((sum, page) => sum + page.rows.length, 0);
      // Evicted rows may include some that have since left the list.
      const isAll = known >= last.count && pages.every(({ rows }) => rows.every(isPresent));
      return lastRow === undefined || isAll ? null : { lastId: idOf(lastRow) };
    },
  });
}

/**
 * Encodes text as base64 of its UTF-8 bytes. btoa alone rejects most scripts
 * (docs/interpretations.md#55).
 */
export const toBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));

export type WholeMail = { readonly mail: Email; readonly content: OpenedMail };

/**
 * Whether the message contains an Outlook envelope whose bytes are already loaded. Larger envelopes
 * are fetched once the message is open.
 */
const isPackedInside = ({ parsed }: OpenedMail): boolean =>
  parsed.attachments.some(file => file.external === null && isTnefFile(file));

async function unpackInside(mail: Email, content: OpenedMail): Promise<OpenedMail> {
  const { unpackEnvelopes } = await loadChunk('unpack', () => import('./unpack-envelopes.ts'));
  return unpackEnvelopes(mail, content, ({ external }) => external === null);
}

/** Prefix of the query keys of opened messages. */
export const wholeMailKey = 'mail';

export const wholeMailQuery = (mailId: string) => ({
  queryKey: [wholeMailKey, mailId],
  // The content of a stored message never changes. Drafts do change, but the composer reads those.
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<WholeMail> => {
    const { data: mail } = await mailClient.one({ id: mailId });
    const content = await keys().openMail(mail);
    return { mail, content: isPackedInside(content) ? await unpackInside(mail, content) : content };
  },
});

/** Fetches and opens a message ahead of time. */
export const prefetchMail = (cache: QueryClient, mailId: string): Promise<void> =>
  cache.prefetchQuery(wholeMailQuery(mailId));

/** Provides total and unread counts of folders and tags. */
export function useMailCounts() {
  return useQuery({ queryKey: countsKey, queryFn: async () => (await mailClient.counts({})).data });
}

/**
 * Returns the people in the loaded lists, those of the newest message first, as suggestions for the
 * search field.
 */
export function knownPeople(cache: QueryClient): { name: string; address: string }[] {
  const people = new Map<string, { name: string; address: string }>();
  for (const [, pages] of cache.getQueriesData<MailPages>({ queryKey: listsKey })) {
    for (const { opened } of pages?.pages[0]?.rows.filter(isPresent) ?? [])
      for (const one of [opened.summary.from, ...opened.summary.to])
        if (one.address !== '' && !people.has(one.address)) people.set(one.address, one);
  }
  return [...people.values()];
}

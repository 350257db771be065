// Reads mail: pages of a list from summaries, conversations, counts. Rows are opened in the key worker; a list never
// needs a body. Keys hold the whole query, so that two queries never share a page (docs/interpretations.md#54).
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
import { pageWithPendingMarks } from './pending-marks.ts';
import type { ListFilter } from './view-model.ts';

export { beginListsAnew } from './list-refresh.ts';
export { conversationsKey, countsKey, idOf, listsKey, type MailPages } from './mail-cache.ts';
export { refreshMail } from './mutations.ts';

/** Rows of one page. */
export const PAGE_SIZE = 50;
/** The rows that a query finds, opened. */
export async function fetchRows(query: MailQuery): Promise<WholePage> {
  const { data, count } = await mailClient.query({ ...query, view: 'summary' });
  return { rows: await openMails(data), count };
}

async function openMails(mails: readonly Email[]): Promise<MailRowData[]> {
  const opened = await keys().openRows([...mails]);
  keepWraps(mails).catch(() => undefined);
  return pair(mails, opened);
}

/** Start of the day: relative dates of a search mean the same on all its pages. */
const today = (): number => new Date().setHours(0, 0, 0, 0);

async function fetchHits(search: string, filter: ListFilter, start: PageStart): Promise<WholePage> {
  const { searchPage, withFilter } = await loadChunk('search', () => import('../../search/search-page.ts'));
  const from = 'skip' in start ? { after: null } : start;
  return searchPage(withFilter(search, filter), today(), from, openMails);
}

/** Rows of a page of hits whose texts are read to show what was found. */
const SNIPPETS_MAX = 25;

/** The snippets that were moved for the newest search, so that a page that is fetched again has them at once. */
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

/** Moves the snippets of hits to what was found, once a search is not typed on. */
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

/** Leaves cheaper wraps for the next time; a list is complete without them, so failures are passed over. */
async function keepWraps(mails: readonly Email[]): Promise<void> {
  const foreign = mails.flatMap(({ id, ciphertext, binding }) =>
    ciphertext === null || binding === null ? [] : [{ id, binding }],
  );
  if (foreign.length === 0) return;
  const wraps = await keys().wrapOpened(foreign);
  if (wraps.length > 0) await mailClient.rewrap({ wraps });
}

/** Most mails have neither tags nor files: all of them share this one. */
const none: never[] = [];

/** A mail without what only opening it needs: of a list of 50,000 that would be 200 MB. */
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

/** Mails and their opened summaries side by side. */
export const pair = (mails: readonly Email[], opened: readonly OpenedRow[]): MailRowData[] =>
  opened.flatMap((row, index) => {
    const mail = mails[index];
    return mail === undefined ? [] : [{ mail: withoutSealed(mail), opened: row }];
  });

const startQuery = (start: PageStart): MailQuery =>
  'lastId' in start ? { last_id: start.lastId } : 'skip' in start ? { skip: start.skip } : {};

/** The key of a list from page number `index` on; with `search`, of the mails that it finds. */
export const mailListKey = (word: string, filter: ListFilter, search: string, index: number): QueryKey =>
  search === '' ? listKey(word, queryOf(word, filter), index) : [...listsKey, 'all', { search, filter }, 0];

/** A list, page after page from page number `index` on; with `search`, the mails that it finds, of any folder. */
export function useMailList(word: string, filter: ListFilter, search: string, index: number) {
  const query = queryOf(word, filter);
  const isSearch = search !== '';
  const cache = useQueryClient();
  const queryKey = mailListKey(word, filter, search, index);
  const fetchPage: FetchPage = async start => {
    const page = isSearch
      ? await fetchHits(search, filter, start)
      : await fetchRows({ ...query, count: PAGE_SIZE, ...startQuery(start) });
    if (!isSearch) return pageWithPendingMarks(cache, page, word);
    moveSnippets(cache, queryKey, search, page).catch(() => undefined);
    const known = { ...page, rows: page.rows.map(row => withMoved(search, row)) };
    return pageWithPendingMarks(cache, known, 'all');
  };
  const name = JSON.stringify(queryKey);
  useEffect(() => {
    const shown = cache.getQueryCache().find<MailPages>({ queryKey: JSON.parse(name), exact: true });
    if (shown !== undefined && !isFetchedWhole(shown)) void freshenHead(cache, shown.queryKey);
  }, [cache, name]);
  return useInfiniteQuery({
    queryKey,
    meta: { fetchPage },
    // While a search is being typed the rows of the one before stay; those of a folder would look like hits.
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
      // Among rows that were put aside may be some that have left the list.
      const isAll = known >= last.count && pages.every(({ rows }) => rows.every(isPresent));
      return lastRow === undefined || isAll ? null : { lastId: idOf(lastRow) };
    },
  });
}

/** Text as base64 of its UTF-8 bytes; btoa alone refuses most scripts (docs/interpretations.md#55). */
export const toBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));

export type WholeMail = { readonly mail: Email; readonly content: OpenedMail };

/** Whether the mail holds an envelope of Outlook whose bytes are at hand; those of larger ones are fetched once it is open. */
const isPackedInside = ({ parsed }: OpenedMail): boolean =>
  parsed.attachments.some(file => file.external === null && isTnefFile(file));

async function unpackInside(mail: Email, content: OpenedMail): Promise<OpenedMail> {
  const { unpackEnvelopes } = await loadChunk('unpack', () => import('./unpack-envelopes.ts'));
  return unpackEnvelopes(mail, content, ({ external }) => external === null);
}

/** What the keys of opened mails begin with. */
export const wholeMailKey = 'mail';

export const wholeMailQuery = (mailId: string) => ({
  queryKey: [wholeMailKey, mailId],
  // A stored mail's content never changes; a draft's does, and drafts are read by the composer instead.
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<WholeMail> => {
    const { data: mail } = await mailClient.one({ id: mailId });
    const content = await keys().openMail(mail);
    return { mail, content: isPackedInside(content) ? await unpackInside(mail, content) : content };
  },
});

/** Fetches and opens a mail ahead of being asked for. */
export const prefetchMail = (cache: QueryClient, mailId: string): Promise<void> =>
  cache.prefetchQuery(wholeMailQuery(mailId));

/** Totals and unread numbers of folders and tags. */
export function useMailCounts() {
  return useQuery({ queryKey: countsKey, queryFn: async () => (await mailClient.counts({})).data });
}

/** People of the lists that are loaded, those of the newest mail first: what the search field suggests. */
export function knownPeople(cache: QueryClient): { name: string; address: string }[] {
  const people = new Map<string, { name: string; address: string }>();
  for (const [, pages] of cache.getQueriesData<MailPages>({ queryKey: listsKey })) {
    for (const { opened } of pages?.pages[0]?.rows.filter(isPresent) ?? [])
      for (const one of [opened.summary.from, ...opened.summary.to])
        if (one.address !== '' && !people.has(one.address)) people.set(one.address, one);
  }
  return [...people.values()];
}

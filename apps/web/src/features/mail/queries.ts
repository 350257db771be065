// Reads mail: pages of a list from summaries, conversations, counts. Rows are opened in the key worker; a list never
// needs a body. Keys hold the whole query, so that two queries never share a page (readings 54).
import type { Email } from '@keyfold/contract';
import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { keys } from '../../crypto/key-client.ts';
import type { OpenedMail } from '../../crypto/mail-opener.ts';
import type { OpenedRow } from '../../crypto/row-opener.ts';
import { client } from '../../session/client.ts';
import { type MailQuery, queryOf } from './folders.ts';
import {
  conversationsKey,
  countsKey,
  listsKey,
  type MailPage,
  type MailRowData,
  type PageStart,
} from './mail-cache.ts';
import type { ListFilter } from './view-model.ts';

/** Rows of one page. */
export const pageSize = 50;
/** Mails of a conversation that are fetched at once (Spec §9). */
const threadSize = 50;

async function fetchRows(query: MailQuery): Promise<MailPage> {
  const { data, count } = await client.mail.query({ ...query, view: 'summary' });
  const opened = await keys().openRows(data);
  keepWraps(data).catch(() => undefined);
  return { rows: pair(data, opened), count };
}

/** Leaves cheaper wraps for the next time; a list is complete without them, so failures are passed over. */
async function keepWraps(mails: readonly Email[]): Promise<void> {
  if (!mails.some(({ ciphertext }) => ciphertext !== null)) return;
  const wraps = await keys().wrapOpened([...mails]);
  if (wraps.length > 0) await client.mail.rewrap({ wraps });
}

const pair = (mails: readonly Email[], opened: readonly OpenedRow[]): MailRowData[] =>
  opened.flatMap((row, index) => {
    const mail = mails[index];
    return mail === undefined ? [] : [{ mail, opened: row }];
  });

const startQuery = (start: PageStart): MailQuery =>
  'lastId' in start ? { last_id: start.lastId } : { skip: start.skip };

/** A list, page after page from page number `index` on. `search` looks at names and addresses. */
export function useMailList(word: string, filter: ListFilter, search: string, index: number) {
  const query: MailQuery = {
    ...queryOf(word, filter),
    ...(search === '' ? {} : { search: toBase64(search) }),
  };
  return useInfiniteQuery({
    queryKey: [...listsKey, word, query, index],
    initialPageParam: { skip: index * pageSize } as PageStart,
    queryFn: ({ pageParam }) => fetchRows({ ...query, count: pageSize, ...startQuery(pageParam) }),
    getNextPageParam: (last, pages): PageStart | null => {
      const loaded = index * pageSize + pages.reduce((sum, page) => sum + page.rows.length, 0);
      const lastRow = last.rows.at(-1);
      return lastRow === undefined || loaded >= last.count ? null : { lastId: lastRow.mail.id };
    },
  });
}

/** Text as base64 of its UTF-8 bytes; btoa alone refuses most scripts (readings 55). */
export const toBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** A mail of a conversation: its row, and the whole mail once it was opened. */
export type ConversationMail = MailRowData;

/** Every mail of the conversation that this mail is part of, oldest first; one that stands alone is a conversation. */
export function useConversation(mailId: string | null) {
  return useQuery({
    queryKey: [...conversationsKey, mailId],
    enabled: mailId !== null,
    queryFn: async (): Promise<readonly ConversationMail[]> => {
      const { data: first } = await client.mail.one({ id: mailId ?? '' });
      // A Message-ID is not a secret, but neither is there a reason to ask for a thread a draft cannot have.
      if (first.draft || first.message_id === '') return openConversation([{ ...first, body: null }]);
      const page = await fetchRows({
        message_id: toBase64(first.message_id),
        threading: true,
        count: threadSize,
        ...(first.deleted ? {} : { deleted: false }),
      });
      const rows = page.rows.filter(row => !row.mail.draft);
      const hasFirst = rows.some(row => row.mail.id === first.id);
      return (hasFirst ? rows : [...rows, ...(await openConversation([first]))]).toSorted(byDate);
    },
  });
}

const byDate = (a: ConversationMail, b: ConversationMail): number =>
  a.mail.received_at.localeCompare(b.mail.received_at);

async function openConversation(mails: readonly Email[]): Promise<ConversationMail[]> {
  return pair(mails, await keys().openRows([...mails]));
}

export type WholeMail = { readonly mail: Email; readonly content: OpenedMail };

export const wholeMailQuery = (mailId: string) => ({
  queryKey: ['mail', mailId],
  // A stored mail's content never changes; a draft's does, and drafts are read by the composer instead.
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<WholeMail> => {
    const { data: mail } = await client.mail.one({ id: mailId });
    return { mail, content: await keys().openMail(mail) };
  },
});

/** Fetches and opens a mail ahead of being asked for. */
export const prefetchMail = (cache: QueryClient, mailId: string): Promise<void> =>
  cache.prefetchQuery(wholeMailQuery(mailId));

/** Totals and unread numbers of folders and tags. */
export function useMailCounts() {
  return useQuery({ queryKey: countsKey, queryFn: async () => (await client.mail.counts({})).data });
}

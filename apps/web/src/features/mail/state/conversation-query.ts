// The messages of the open conversation. A message that is alone in its list is shown from its row
// immediately, while the server is asked whether it still is. If the message was prefetched,
// nothing has to load first.
import type { Email } from '@keyfold/contract';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../../crypto/key-client.ts';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { conversationsKey, isPresent, listsKey, type MailPages, type MailRowData } from './mail-cache.ts';
import { withPendingChanges } from './pending-changes.ts';
import { fetchRows, idOf, PAGE_SIZE, pair, toBase64 } from './queries.ts';
import { allPages } from './thread-pages.ts';

/**
 * Returns every message of the conversation that contains this message, oldest first. A single
 * message counts as a conversation.
 */
export function useConversation(mailId: string | null) {
  const cache = useQueryClient();
  return useQuery({
    queryKey: [...conversationsKey, mailId],
    enabled: mailId !== null,
    queryFn: async () => withPendingChanges(cache, await fetchConversation(mailId ?? '')),
    placeholderData: () => findAlone(cache, mailId),
  });
}

/** Finds a message in the fetched conversations, whether or not it is in a list. */
export const findInConversation = (cache: QueryClient, mailId: string | null): MailRowData | undefined =>
  cache
    .getQueryData<readonly MailRowData[]>([...conversationsKey, mailId])
    ?.find(({ mail }) => mail.id === mailId);

/** Returns the single message when a list shows it as one without replies. */
function findAlone(cache: QueryClient, mailId: string | null): readonly MailRowData[] | undefined {
  for (const [, pages] of cache.getQueriesData<MailPages>({ queryKey: listsKey }))
    for (const { rows } of pages?.pages ?? []) {
      const row = rows.filter(isPresent).find(({ mail }) => mail.id === mailId);
      if (row !== undefined) return row.mail.thread_count === 1 && !row.mail.draft ? [row] : undefined;
    }
  return undefined;
}

async function fetchConversation(mailId: string): Promise<readonly MailRowData[]> {
  const { data: first } = await mailClient.one({ id: mailId });
  // A Message-ID is not secret, but there is no reason to request a thread that a draft cannot
  // have.
  if (first.draft || first.message_id === '') return openConversation([{ ...first, body: null }]);
  const rows = await allPages(PAGE_SIZE, idOf, lastId => rowsOfThread(first, lastId));
  const hasFirst = rows.some(row => row.mail.id === first.id);
  return (hasFirst ? rows : [...rows, ...(await openConversation([first]))]).toSorted(byDate);
}

/** Fetches one page of a message's thread (docs/spec-map.md 9). */
async function rowsOfThread(first: Email, lastId?: string): Promise<readonly MailRowData[]> {
  const { rows } = await fetchRows({
    message_id: toBase64(first.message_id),
    threading: true,
    count: PAGE_SIZE,
    ...(first.deleted ? {} : { deleted: false }),
    ...(lastId === undefined ? {} : { last_id: lastId }),
  });
  return rows;
}

const byDate = (a: MailRowData, b: MailRowData): number =>
  a.mail.received_at.localeCompare(b.mail.received_at);

async function openConversation(mails: readonly Email[]): Promise<MailRowData[]> {
  return pair(mails, await keys().openRows([...mails]));
}

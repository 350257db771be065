// The mails of the conversation that is open. What stands alone in its list is shown from its row at once, while the
// server is asked whether it still does: with a mail that was fetched ahead, nothing is waited for.
import type { Email } from '@keyfold/contract';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../../crypto/key-client.ts';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { conversationsKey, isPresent, listsKey, type MailPages, type MailRowData } from './mail-cache.ts';
import { withPendingMarks } from './pending-marks.ts';
import { fetchRows, idOf, PAGE_SIZE, pair, toBase64 } from './queries.ts';
import { allPages } from './thread-pages.ts';

/** Every mail of the conversation that this mail is part of, oldest first; one that stands alone is a conversation. */
export function useConversation(mailId: string | null) {
  const cache = useQueryClient();
  return useQuery({
    queryKey: [...conversationsKey, mailId],
    enabled: mailId !== null,
    queryFn: async () => withPendingMarks(cache, await fetchConversation(mailId ?? '')),
    placeholderData: () => findAlone(cache, mailId),
  });
}

/** A mail of a conversation that was fetched, whether it stands in a list or not. */
export const findInConversation = (cache: QueryClient, mailId: string | null): MailRowData | undefined =>
  cache
    .getQueryData<readonly MailRowData[]>([...conversationsKey, mailId])
    ?.find(({ mail }) => mail.id === mailId);

/** The mail alone, when a list has it as one that nothing was answered to. */
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
  // A Message-ID is not a secret, but neither is there a reason to ask for a thread a draft cannot have.
  if (first.draft || first.message_id === '') return openConversation([{ ...first, body: null }]);
  const rows = await allPages(PAGE_SIZE, idOf, lastId => rowsOfThread(first, lastId));
  const hasFirst = rows.some(row => row.mail.id === first.id);
  return (hasFirst ? rows : [...rows, ...(await openConversation([first]))]).toSorted(byDate);
}

/** One page of the thread that a mail belongs to (docs/spec-map.md 9). */
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

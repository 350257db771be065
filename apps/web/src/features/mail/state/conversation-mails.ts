// Resolves list rows to the messages of their conversations. They are fetched when a change is
// sent.
import { QUERY_COUNT_MAX } from '@keyfold/contract/limits';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import type { MailFlags } from './flag-changes.ts';
import type { MailRowData } from './mail-cache.ts';
import { toBase64 } from './queries.ts';
import { allPages } from './thread-pages.ts';

/** Number of conversations whose messages are fetched in parallel. */
const CONVERSATIONS_AT_ONCE = 6;

/** Returns every message of a conversation, the row's own first. */
async function mailsOfConversation({ mail }: MailRowData): Promise<readonly MailFlags[]> {
  if ((mail.thread_count ?? 1) < 2 || mail.message_id === '') return [mail];
  const fetchPage = async (lastId: string | undefined) => {
    const { data } = await mailClient.query({
      message_id: toBase64(mail.message_id),
      threading: true,
      count: QUERY_COUNT_MAX,
      view: 'summary',
      deleted: mail.deleted,
      draft: false,
      ...(lastId === undefined ? {} : { last_id: lastId }),
    });
    return data;
  };
  const mails = await allPages(QUERY_COUNT_MAX, ({ id }) => id, fetchPage);
  return [mail, ...mails.filter(({ id }) => id !== mail.id)];
}

/** Returns every message of the conversations, each once. */
export async function mailsOfConversations(rows: readonly MailRowData[]): Promise<MailFlags[]> {
  const found = new Map<string, MailFlags>();
  for (let start = 0; start < rows.length; start += CONVERSATIONS_AT_ONCE) {
    const some = await Promise.all(rows.slice(start, start + CONVERSATIONS_AT_ONCE).map(mailsOfConversation));
    for (const mail of some.flat()) if (!found.has(mail.id)) found.set(mail.id, mail);
  }
  return [...found.values()];
}

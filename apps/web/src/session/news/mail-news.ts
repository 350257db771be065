// Window events about the mailbox: new mail (docs/spec-map.md 4), and any change made in this tab
// or elsewhere. Listeners refetch what they show; the events carry no message content. Also holds
// the query keys of the lists, so that concurrent code can check whether one is being fetched.
import type { Query, QueryClient } from '@tanstack/react-query';

/** New mail arrived; `detail.count` is the number of messages. */
export const newEmailsReceived = 'newEmailsReceived';
/** The mailbox is now at `detail.version`, as in the counts response. */
export const mailboxChanged = 'mailboxChanged';
/** The list texts of the messages `detail.ids` were wrong and have been corrected; reload them. */
export const summariesMended = 'summariesMended';
/** Everything displayed is to be refetched. */
export const mailWanted = 'mailWanted';
/**
 * First part of the query key of every message list. While one is being fetched, other requests
 * hold back.
 */
export const listsKey = ['mail-list'] as const;
/** First part of the query key of the mailbox counts. */
export const countsKey = ['mail-counts'] as const;

const isList = ({ queryKey }: Query): boolean => queryKey[0] === listsKey[0];

/**
 * Refetches everything displayed. Components that show a list refetch it themselves: of a long list
 * only the newest page is fetched. Never rejects; errors appear where the data is shown.
 */
export async function askAllAgain(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ predicate: isList, refetchType: 'none' });
  window.dispatchEvent(new CustomEvent(mailWanted));
  await cache.invalidateQueries({ predicate: query => !isList(query) });
}

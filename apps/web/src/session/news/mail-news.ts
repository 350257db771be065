// What the window hears of the mailbox: new mail (docs/spec-map.md 4), and any change of it, by this tab or elsewhere. Who
// listens asks for what it shows; nothing of a mail is in these events. Also the name under which lists are asked for, so that
// what runs beside them can tell.
import type { Query, QueryClient } from '@tanstack/react-query';

/** New mail came; `detail.count` says how many. */
export const newEmailsReceived = 'newEmailsReceived';
/** The mailbox is at `detail.version` now, as counts name it. */
export const mailboxChanged = 'mailboxChanged';
/** What lists showed of the mails `detail.ids` was wrong, and has been put right: their texts are to be read anew. */
export const summariesMended = 'summariesMended';
/** Everything that is shown is asked for again. */
export const mailWanted = 'mailWanted';
/** First part of the key, in the cache of answers, of every list of mail: while one is asked for, others hold back. */
export const listsKey = ['mail-list'] as const;
/** The same of the mailbox's numbers. */
export const countsKey = ['mail-counts'] as const;

const isList = ({ queryKey }: Query): boolean => queryKey[0] === listsKey[0];

/**
 * Asks for everything that is shown again. Who shows a list asks for it: of a long one only the newest page is fetched.
 * Rejects never; what fails says so where it is shown.
 */
export async function askAllAgain(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ predicate: isList, refetchType: 'none' });
  window.dispatchEvent(new CustomEvent(mailWanted));
  await cache.invalidateQueries({ predicate: query => !isList(query) });
}
